-- Counts the free permits. KEYS as for taking them. ARGV: now in ms since the epoch. Reply: the number.
return free(tonumber(ARGV[1]))
