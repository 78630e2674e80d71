# curve.gp: learning curves; called by pipeline.mk behind figure.gp, with files and names set.
# Columns of a file: update, training nll, development nll; empty where there was none.  Of many
# runs only the development set is drawn.
set datafile separator "\t"
set xlabel "update"
set ylabel "nats a token"
n = words(files)
training(y) = n > 1 ? NaN : y
name(i) = n > 1 ? "" : word(names, i)." train"
plot for [i=1:n] word(files, i) using 1:(training($2)) with lines lw 1 lc i title name(i), \
     for [i=1:n] word(files, i) using 1:3 with linespoints lw 2 lc i dt dash(i) pt point(i) ps 0.5 \
         title word(names, i)
