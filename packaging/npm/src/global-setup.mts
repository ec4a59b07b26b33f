export { globalSetupWith, setup as default, setup, teardown } from './global-setup.js';
