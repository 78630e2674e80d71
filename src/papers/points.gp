# points.gp: curves with error bars; called by pipeline.mk after figure.gp.  Variables: points,
# label.
stats points using 1:2 nooutput
# BLEU and the values on the x axis are never negative.
set xrange [0<*:*]
set yrange [0<*:*]
if (label ne "") set xlabel label
if (label eq "" && STATS_max_x > 100) {
	set xrange [*:*]
	set logscale x
	set xlabel "training sentence pairs"
}
set ylabel "BLEU"
set offsets graph 0.03, graph 0.03, graph 0.05, graph 0.05
plot for [i=1:STATS_blocks] points index i-1 using 1:2:3 with yerrorlines lw 2 lc i dt dash(i) \
         pt point(i) ps 0.6 title columnheader(1)
