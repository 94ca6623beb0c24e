import { asJson, type CliCommand, done } from '../cli-command.ts'

const loadChange = () => import('./plugin-change.ts')

/** The command `plugin`. */
export const pluginCommand: CliCommand = {
  about: 'add, update and remove plugins: skills, commands, agents, hooks and MCP servers in one folder',
  actions: [
    {
      name: 'list',
      aliases: ['ls'],
      help: 'list your plugins: version, whether they are on, where they come from',
      json: '{"plugins": [{"name", "version"?, "enabled", "fault"?, "source", "marketplace"?, "commit"?}]}',
      run: async (context) => done((await import('./plugin-list.ts')).listPlugins(context)),
    },
    {
      name: 'show',
      takes: ['NAME'],
      help: 'show all that a plugin may do, and what in it has no effect',
      json: '{"name", "version"?, "enabled", "fault"?, "source", "abilities": [{"kind", "name", "text"}], "notes"}',
      run: async (context, [name = '']) => done((await import('./plugin-list.ts')).showPlugin(name, context)),
    },
    {
      name: 'add',
      aliases: ['install'],
      takes: ['PATH or URL or NAME@MARKETPLACE or npm:NAME'],
      flags: ['yes', 'config'],
      help: 'copy a plugin and those that it needs, show all that they may do, and ask',
      run: async (context, [place = '']) => done((await import('./plugin-add.ts')).addPlugin(place, context)),
    },
    {
      name: 'config',
      takes: ['NAME'],
      flags: ['config'],
      help: "show a plugin's options and their values; --config sets them, or a terminal asks",
      json: '{"options": [{"key", "type", "title", "state", "required", "sensitive", "value"?}]}',
      run: async (context, [name = '']) =>
        done((await import('./configure-plugin.ts')).configurePlugin(name, context)),
    },
    {
      name: 'update',
      aliases: ['upgrade'],
      takes: ['[NAME]'],
      flags: ['yes'],
      help: 'fetch a plugin, or all, show what would change, and ask',
      run: async (context, [name]) => (await loadChange()).updatePlugins(name, context),
    },
    {
      name: 'enable',
      takes: ['NAME'],
      flags: ['yes'],
      help: 'turn a plugin on; show it and ask if its files have changed',
      run: async (context, [name = '']) => done((await loadChange()).enablePlugin(name, context)),
    },
    {
      name: 'disable',
      takes: ['NAME'],
      help: 'turn a plugin off and keep it',
      run: async (context, [name = '']) => done((await loadChange()).disablePlugin(name, context)),
    },
    {
      name: 'remove',
      aliases: ['rm', 'uninstall'],
      takes: ['NAME'],
      help: 'delete a plugin, its files and its data',
      run: async (context, [name = '']) => done((await loadChange()).removePlugin(name, context)),
    },
    {
      name: 'marketplace',
      takes: ['[ACTION]', '[NAME or PATH or URL or OWNER/REPO]'],
      help: 'manage lists of plugins: list [NAME] (default), add PLACE, update [NAME], remove NAME',
      json: '{"marketplaces": [{"name", "source", "plugins"}]}; with NAME {"plugins": [{"name", "description"?}]}',
      run: async (context, words) =>
        done((await import('./marketplace-actions.ts')).runMarketplace(words, context)),
    },
  ],
  flags: ['cd', ...asJson],
  example: 'pipe plugin add ./my-plugin',
  exitCodes: [42, 52, 54, 55],
}
