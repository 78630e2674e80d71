The keeper of the lighthouse counts ships before his dinner.
It rained 3,5 millimetres - not 35.
He said: "Fish & chips" costs < 10 pounds.
Die Strasse nach Köln war gesperrt…
我们明天去北京。
猫が机の下で寝ている。
Wide blanks and hard blanks are blanks too.
Ο Οδυσσεύς γύρισε στην ΙΘΆΚΗ.
istanbul'da 1234,56 lira ödedi.
Она живет на пятом этаже слева.
No words at all?
Too short
yes yes
A tag and x-y, e.g. 10–20 % or 2020–21.
Price: 1,000.00 € (~1,100 $) ±5%!
Donde está la biblioteca “la vieja”?
Unicode beyond the plane 😀😀 𠀀
Trailing blanks do not count.	
., 5 a. b 7-7 .5 5 .
The end, tokenized already.
