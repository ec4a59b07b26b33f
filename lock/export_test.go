package lock

// Waiting is how many calls of this client wait on a channel.
func (c *Client) Waiting(channel string) int {
	c.hub.mu.Lock()
	defer c.hub.mu.Unlock()
	if ch := c.hub.channels[channel]; ch != nil {
		return ch.waiters.Len()
	}
	return 0
}
