# curve.gp: learning curves as SVG; called by pipeline.mk with out, files and names set.
# Columns of a file: update, training nll, development nll; empty where there was none.  Of many
# runs only the development set is drawn.
set terminal svg size 760,420 dynamic font "sans-serif,13" background "white"
set output out
set datafile separator "\t"
set xlabel "update"
set ylabel "nats a token"
set grid lc rgb "#dddddd"
set border 3 lc rgb "#666666"
set tics nomirror
set key outside right
n = words(files)
training(y) = n > 1 ? NaN : y
name(i) = n > 1 ? "" : word(names, i)." train"
plot for [i=1:n] word(files, i) using 1:(training($2)) with lines lw 1 lc i title name(i), \
     for [i=1:n] word(files, i) using 1:3 with linespoints lw 2 lc i pt 7 ps 0.4 \
         title word(names, i)
