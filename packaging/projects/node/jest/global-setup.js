const { globalSetupWith } = require('minilockd/global-setup');

module.exports = globalSetupWith({ databases: 4 });
