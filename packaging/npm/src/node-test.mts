export { type UseOptions, useMinilockd } from './node-test.js';
