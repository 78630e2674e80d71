# figure.gp: how all curves are drawn, as SVG, into out; pipeline.mk runs it before another .gp.
# Names are text: gnuplot's markup would read @, _ and ^ in them.
set terminal svg noenhanced size 760,420 dynamic font "sans-serif,13" background "white"
set output out
set grid lc rgb "#dddddd"
set border 3 lc rgb "#666666"
set tics nomirror
set key outside right
# There are eight colours; from the ninth curve on dashes and other points tell them apart.
again(i) = (i - 1) / 8 % 5
dash(i) = 1 + again(i)
point(i) = int(word("7 5 9 11 13", 1 + again(i)))
