import { asJson, type CliCommand, done } from '../cli-command.ts'

/** The command `config`. */
export const configCommand: CliCommand = {
  about: 'show and change settings',
  actions: [
    {
      name: 'list',
      aliases: ['ls'],
      help: 'list the settings in force, each with its origin, without secrets; with --scope those of one file',
      json: '{"settings": [{"key", "value", "origins": [{"type", "name"}]}]}',
      run: async (context) => done((await import('./show-settings.ts')).listSettings(context)),
    },
    {
      name: 'get',
      takes: ['KEY'],
      help: 'print the value in force of a setting, such as permissions.mode (exit 1 if it is not set)',
      json: '{"key", "value"}',
      run: async (context, [key = '']) => (await import('./show-settings.ts')).printSetting(key, context),
    },
    {
      name: 'set',
      takes: ['KEY', 'VALUE…'],
      help: 'change a setting; VALUE is JSON, or text without quotes; comments in the file stay',
      run: async (context, [key = '', ...words]) =>
        done((await import('./change-settings.ts')).setSetting(key, words, context)),
    },
    {
      name: 'unset',
      aliases: ['remove', 'rm'],
      takes: ['KEY'],
      help: 'remove a setting from its file (exit 1 if it is not there)',
      run: async (context, [key = '']) => (await import('./change-settings.ts')).unsetSetting(key, context),
    },
    {
      name: 'path',
      help: 'print the path of the file',
      run: async (context) => {
        const { path } = (await import('./settings-file.ts')).settingsFile(context)
        context.host.stdout.write(`${path}\n`)
        return 0
      },
    },
    {
      name: 'edit',
      help: 'open the file in your editor, and check it afterwards',
      run: async (context) => done((await import('./change-settings.ts')).editSettings(context)),
    },
  ],
  flags: ['cd', 'trust', ...asJson],
  example: 'pipe config set permissions.mode accept-edits',
  exitCodes: [52, 54],
}
