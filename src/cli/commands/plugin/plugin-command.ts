import { asJson, type CliCommand, done } from '../cli-command.ts'

const loadChange = () => import('./plugin-change.ts')

/** The command `plugin`. */
export const pluginCommand: CliCommand = {
  about: 'adds, updates and removes plugins: skills, commands, agents, hooks and MCP servers in one folder',
  actions: [
    {
      name: 'list',
      aliases: ['ls'],
      help: 'the plugins that you added: version, whether they count, where they come from',
      json: '{"plugins": [{"name", "version"?, "enabled", "fault"?, "source", "marketplace"?, "commit"?}]}',
      run: async (context) => done((await import('./plugin-list.ts')).listPlugins(context)),
    },
    {
      name: 'show',
      takes: ['NAME'],
      help: 'all that one of them may do, and what of it has no effect',
      json: '{"name", "version"?, "enabled", "fault"?, "source", "abilities": [{"kind", "name", "text"}], "notes"}',
      run: async (context, [name = '']) => done((await import('./plugin-list.ts')).showPlugin(name, context)),
    },
    {
      name: 'add',
      aliases: ['install'],
      takes: ['PATH or URL or NAME@MARKETPLACE'],
      flags: ['yes', 'config'],
      help: 'copies a plugin and those that it needs, shows all that they may do, and asks',
      run: async (context, [place = '']) => done((await import('./plugin-add.ts')).addPlugin(place, context)),
    },
    {
      name: 'config',
      takes: ['NAME'],
      flags: ['config'],
      help: 'what a plugin asks for, and what is set of it; --config sets it, or a terminal asks',
      json: '{"options": [{"key", "type", "title", "state", "required", "sensitive", "value"?}]}',
      run: async (context, [name = '']) =>
        done((await import('./configure-plugin.ts')).configurePlugin(name, context)),
    },
    {
      name: 'update',
      aliases: ['upgrade'],
      takes: ['[NAME]'],
      flags: ['yes'],
      help: 'fetches one plugin, or all, shows what would change, and asks',
      run: async (context, [name]) => (await loadChange()).updatePlugins(name, context),
    },
    {
      name: 'enable',
      takes: ['NAME'],
      flags: ['yes'],
      help: 'turns a plugin on; shows it and asks if its files have changed',
      run: async (context, [name = '']) => done((await loadChange()).enablePlugin(name, context)),
    },
    {
      name: 'disable',
      takes: ['NAME'],
      help: 'turns a plugin off and keeps it',
      run: async (context, [name = '']) => done((await loadChange()).disablePlugin(name, context)),
    },
    {
      name: 'remove',
      aliases: ['rm', 'uninstall'],
      takes: ['NAME'],
      help: 'deletes a plugin, its files and its data',
      run: async (context, [name = '']) => done((await loadChange()).removePlugin(name, context)),
    },
    {
      name: 'marketplace',
      takes: ['[ACTION]', '[NAME or PATH or URL or OWNER/REPO]'],
      help: 'lists of plugins: list [NAME] (default), add PLACE, update [NAME], remove NAME',
      json: '{"marketplaces": [{"name", "source", "plugins"}]}; with NAME {"plugins": [{"name", "description"?}]}',
      run: async (context, words) =>
        done((await import('./marketplace-actions.ts')).runMarketplace(words, context)),
    },
  ],
  flags: ['cd', ...asJson],
  example: 'pipe plugin add ./my-plugin',
  exitCodes: [42, 52, 54, 55],
}
