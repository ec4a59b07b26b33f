package luafront
import ("testing";"os";"bufio";"fmt"; lua "github.com/yuin/gopher-lua")
func TestScratch(t *testing.T){
 f,_:=os.Open(os.Getenv("IN")); sc:=bufio.NewScanner(f); sc.Buffer(nil,1<<20)
 for sc.Scan(){
  s:=sc.Text(); if s==""||s[0]=='-'{continue}
  fmt.Print(s," => ")
  p,err:=Compile(s,"@user_script")
  if err!=nil{fmt.Println("COMPILE",err);continue}
  L:=lua.NewState(); L.Push(L.NewFunctionFromProto(p)); err=L.PCall(0,-1,nil)
  if err!=nil {fmt.Println("ERR",err); continue}
  for i:=1;i<=L.GetTop();i++{fmt.Print(L.Get(i)," ")}
  fmt.Println()
 }
}
