export * from './global-setup.js';
export { setup as default } from './global-setup.js';
