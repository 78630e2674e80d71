Before supper, the keeper of the lighthouse counts the ships.
There were 3.5 mm of rain, and not 35.
"Fish &amp; chips", he said, cost less than 10 pounds.
Die Straße in Richtung Köln wurde gesperrt.
我们明天到北京去吃烤鸭。
机の下で猫が寝ています。
Hard blanks and wide　blanks: they are blanks too.
Στην Ιθάκη γύρισε ο Οδυσσεύς.
İSTANBUL'DA 1.234,56 LİRA ÖDEDİ.
Живёт она на 5-м этаже, слева.
This one stands against an empty line.
Much too short
yes yes yes
A tag and x-y, for example 10-20 % or 2020-21.
Price: € 1,000.00 (about $ 1,100) ± 5 %!
¿Dónde se halla la vieja biblioteca?
Unicode past the plane 😀 𠀁𠀀
Blanks at the end do not count.　
. 5 a , b 7 - 7 0.5 5.
The end , which is tokenized .
