export { type UseOptions, useMinilockd } from './jest.js';
