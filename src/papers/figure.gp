# figure.gp: style of all plots, SVG in the file out; pipeline.mk runs it before another .gp.
# noenhanced: labels may contain @, _ and ^, which gnuplot would read as markup.
set terminal svg noenhanced size 760,420 dynamic font "sans-serif,13" background "white"
set output out
set grid lc rgb "#dddddd"
set border 3 lc rgb "#666666"
set tics nomirror
set key outside right
# Eight colors; from the ninth curve on, dashes and other point types distinguish the curves.
again(i) = (i - 1) / 8 % 5
dash(i) = 1 + again(i)
point(i) = int(word("7 5 9 11 13", 1 + again(i)))
