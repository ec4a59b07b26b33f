package lock

// Waiting returns the number of calls of this client that wait on a channel.
func (c *Client) Waiting(channel string) int {
	c.hub.mu.Lock()
	defer c.hub.mu.Unlock()
	if ch := c.hub.channels[channel]; ch != nil {
		return ch.waiters.Len()
	}
	return 0
}
