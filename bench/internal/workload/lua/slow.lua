local sum = 0
for i = 1, 20000 do
  sum = sum + i
end
return sum
