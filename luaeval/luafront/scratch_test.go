package luafront
import ("testing";"fmt";"os";"strconv")
func TestScratchPrograms(t *testing.T){
 r:=startReference(t)
 n,_:=strconv.Atoi(os.Getenv("N")); if n==0 {n=500}
 from,_:=strconv.Atoi(os.Getenv("FROM"))
 bad:=0; lens:=0
 for seed:=int64(from);seed<int64(from+n);seed++{
  s:=generate(seed)
  b:=r.eval(s)
  a:=eval(t,s)
  lens+=len(b)
  if a!=b { bad++; if bad<4 {fmt.Printf("SEED %d len %d\n%s\n  ours  %s\n  redis %s\n",seed,len(s),s[len(harness):],a,b)}}
 }
 fmt.Println("bad",bad,"avg",lens/n)
}
