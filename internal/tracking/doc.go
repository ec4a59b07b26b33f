// Package tracking is client-side caching on the server's side (Redis documentation: client-side caching): a client
// that has called CLIENT TRACKING gets a push when keys change that it has read, or keys with certain prefixes. It is
// a part of the server, not an API.
//
// Table knows which clients track and which keys they may hold. While no client tracks, a change costs one load and a
// read one test of a field of its session.
package tracking
