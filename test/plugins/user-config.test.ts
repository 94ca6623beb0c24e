import { expect, it } from 'vitest'
import { optionVariables, withPluginOptions } from '../../src/machine/plugin-options.ts'
import { checkOption, missingOptions, optionsOf, readUserConfig } from '../../src/plugins/user-config.ts'

const manifest = {
  userConfig: {
    apiKey: { type: 'string', title: 'Key', description: 'of the service', sensitive: true, required: true },
    port: { type: 'number', default: 80, min: 1, max: 65_535 },
    region: { description: 'Where', default: 'eu' },
    folder: { type: 'directory', title: 'Folder' },
    'no word': {},
    odd: { type: 'colour' },
    flat: 7,
  },
}

function read() {
  const notes: string[] = []
  return { options: readUserConfig(manifest, (text) => notes.push(text)), notes }
}

it('reads what a plugin asks for, and names what it cannot ask', () => {
  const { options, notes } = read()
  expect(options).toEqual([
    { key: 'apiKey', type: 'string', title: 'Key: of the service', isRequired: true, isSecret: true },
    {
      key: 'port',
      type: 'number',
      title: 'port',
      isRequired: false,
      isSecret: false,
      usual: '80',
      min: 1,
      max: 65_535,
    },
    { key: 'region', type: 'string', title: 'Where', isRequired: false, isSecret: false, usual: 'eu' },
    { key: 'folder', type: 'directory', title: 'Folder', isRequired: false, isSecret: false },
  ])
  expect(notes).toEqual([
    'the option "no word" is skipped: its key is no plain word',
    'the option "odd" is skipped: there is no type "colour"',
    'the option "flat" is skipped: it is no object',
  ])
})

it('puts what is no secret into texts, and all of it into variables of hooks', () => {
  const { options } = read()
  const set = optionsOf(options, { apiKey: 's3cret', gone: 'x' })
  expect(set).toEqual({ values: { apiKey: 's3cret', port: '80', region: 'eu' }, secret: ['apiKey'] })
  const place = (key: string) => `\${user_config.${key}}`
  expect(withPluginOptions(`${place('region')} ${place('apiKey')} ${place('none')}`, set)).toBe(
    `eu ${place('apiKey')} ${place('none')}`,
  )
  expect(optionVariables(set)).toMatchObject({
    CLAUDE_PLUGIN_OPTION_apiKey: 's3cret',
    CLAUDE_PLUGIN_OPTION_APIKEY: 's3cret',
    CLAUDE_PLUGIN_OPTION_PORT: '80',
  })
  expect(missingOptions(options, {}).map(({ key }) => key)).toEqual(['apiKey'])
})

it.each([
  ['port', '8080', undefined],
  ['port', 'x', 'port takes a number'],
  ['port', '0', 'port takes a number from 1 to 65535'],
  ['folder', 'relative', 'folder takes an absolute path of a directory'],
  ['folder', '/srv', undefined],
  ['apiKey', 'a\0b', 'apiKey holds a zero byte'],
])('checks %s=%j', (key, text, fault) => {
  const option = read().options.find((one) => one.key === key)
  const checked = option && checkOption(option, text)
  expect(checked?.type === 'refused' ? checked.reason : undefined).toBe(fault)
})
