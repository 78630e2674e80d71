# points.gp: curves with deviations as SVG; called by pipeline.mk with out, points and label set.
set terminal svg size 760,420 dynamic font "sans-serif,13" background "white"
set output out
stats points using 1:2 nooutput
if (label ne "") set xlabel label
if (label eq "" && STATS_max_x > 100) { set logscale x; set xlabel "pairs of sentences" }
set ylabel "BLEU"
set grid lc rgb "#dddddd"
set border 3 lc rgb "#666666"
set tics nomirror
set key outside right
set offsets graph 0.03, graph 0.03, graph 0.05, graph 0.05
plot for [i=0:STATS_blocks-1] points index i using 1:2:3 with yerrorlines lw 2 pt 7 ps 0.6 \
         title columnheader(1)
