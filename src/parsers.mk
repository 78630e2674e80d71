# parsers: parse-train options of the built-in parsers; see heed-parsers(7)
parser.en = --keep-best --i8 --updates 6500 --batch-words 1000 --lr 0.0015 \
            --leave-out='GUM_essay_*' --leave-out='GUM_fiction_*' --leave-out='GUM_letter_*' \
            --leave-out='GUM_podcast_*' --leave-out='GUM_whow_*'
parser.de = --keep-best --i8 --updates 3000 --batch-words 800 --lr 0.0015 \
            --arch word_width=64,feature_width=64,feature_rows=8192,layers=3,width=192,ff=384,heads=6,hidden=96
