package main

import _ "github.com/minilockd/minilockd/web" // what it requires must not be in the module of the server
