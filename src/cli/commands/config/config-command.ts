import { asJson, type CliCommand, done } from '../cli-command.ts'

/** The command `config`. */
export const configCommand: CliCommand = {
  about: 'shows and changes settings',
  actions: [
    {
      name: 'list',
      aliases: ['ls'],
      help: 'the settings in force, each with its origin and without secrets; with --scope those of one file',
      json: '{"settings": [{"key", "value", "origins": [{"type", "name"}]}]}',
      run: async (context) => done((await import('./show-settings.ts')).listSettings(context)),
    },
    {
      name: 'get',
      takes: ['KEY'],
      help: 'the value in force of one setting, such as permissions.mode; exits 1 if it is not set',
      json: '{"key", "value"}',
      run: async (context, [key = '']) => (await import('./show-settings.ts')).printSetting(key, context),
    },
    {
      name: 'set',
      takes: ['KEY', 'VALUE…'],
      help: 'sets one setting; VALUE is JSON, or text that needs no quotes; comments in the file stay',
      run: async (context, [key = '', ...words]) =>
        done((await import('./change-settings.ts')).setSetting(key, words, context)),
    },
    {
      name: 'unset',
      aliases: ['remove', 'rm'],
      takes: ['KEY'],
      help: 'removes one setting from its file; exits 1 if it is not there',
      run: async (context, [key = '']) => (await import('./change-settings.ts')).unsetSetting(key, context),
    },
    {
      name: 'path',
      help: 'the path of the file',
      run: async (context) => {
        const { path } = (await import('./settings-file.ts')).settingsFile(context)
        context.host.stdout.write(`${path}\n`)
        return 0
      },
    },
    {
      name: 'edit',
      help: 'opens the file in your editor, and checks it afterwards',
      run: async (context) => done((await import('./change-settings.ts')).editSettings(context)),
    },
  ],
  flags: ['cd', 'trust', ...asJson],
  example: 'pipe config set permissions.mode accept-edits',
  exitCodes: [52, 54],
}
