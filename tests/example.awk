# example.awk: prints the C code of the example that follows a .\" compile line of a manual page.
/^\.\\" compile/ { wanted = 1; next }
/^\.Bd -literal/ && wanted { inside = 1; next }
/^\.Ed/ { inside = wanted = 0 }
inside { gsub(/\\&/, ""); gsub(/\\e/, "\\"); gsub(/\\-/, "-"); gsub(/\\\(dq/, "\""); print }
