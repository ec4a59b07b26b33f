import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['test/**'], globalSetup: ['minilockd/global-setup'], maxWorkers: 2 },
});
