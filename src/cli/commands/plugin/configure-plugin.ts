import { PipeError } from '../../../error.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { placesOf } from '../../../plugins/enabled-plugins.ts'
import { type PluginAnswers, readAnswers, writeAnswers } from '../../../plugins/option-file.ts'
import { readPlugin } from '../../../plugins/plugin-content.ts'
import { checkOption, missingOptions, type PluginOption } from '../../../plugins/user-config.ts'
import { nearest } from '../../../ranking/nearest.ts'
import { printWarning } from '../../../terminal/output.ts'
import { printable } from '../../../terminal/printable.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import { askOnTerminal } from '../../controlling-terminal.ts'
import { usageError } from '../../flags.ts'
import type { RunContext } from '../../run-context.ts'
import { isTerminal } from '../../standard-output.ts'
import { JsonList } from '../json-list.ts'
import { readSecret } from '../secret.ts'
import { requireNamed, withPluginStore } from './open-plugin-store.ts'

/** Reads `--config KEY=VALUE` for the options of a plugin. Throws `usage` for an unknown key or a value that is not as asked. */
export function givenAnswers(
  options: readonly PluginOption[],
  { flags }: Pick<RunContext, 'flags'>,
): PluginAnswers {
  const answers: Record<string, string> = {}
  for (const pair of flags.all('config')) {
    const [, key = '', value = ''] = /^([^=]+)=([\s\S]*)$/.exec(pair) ?? []
    const option = options.find((one) => one.key === key)
    if (option === undefined) throw unknownOption(key, options)
    const checked = checkOption(option, value)
    if (checked.type === 'refused') throw usageError(`--config: ${checked.reason}`, 'pipe plugin --help')
    answers[key] = checked.value
  }
  return answers
}

function unknownOption(key: string, options: readonly PluginOption[]): PipeError {
  const keys = options.map((one) => one.key)
  if (key === '') return usageError('--config takes KEY=VALUE', 'pipe plugin --help')
  const close = nearest(key, keys)
  const hint =
    close !== undefined
      ? `did you mean ${close}?`
      : keys.length === 0
        ? 'it asks for nothing'
        : `it knows ${keys.join(', ')}`
  return usageError(
    `--config: the plugin does not ask for ${JSON.stringify(key)}: ${hint}`,
    'pipe plugin --help',
  )
}

/** Asks on the terminal for what is not set yet, a secret without echo. An empty line leaves it as it is. Asks nothing where nobody can be asked. */
export async function askForOptions(
  options: readonly PluginOption[],
  known: PluginAnswers,
  { host, flags, signal, interruption }: RunContext,
): Promise<PluginAnswers> {
  const answers: Record<string, string> = { ...known }
  const open = options.filter(({ key }) => known[key] === undefined)
  if (flags.has('yes') || open.length === 0 || !host.stderr.isTerminal || !(await isTerminal(0)))
    return answers
  for (const option of open) {
    const usual = option.usual === undefined || option.isSecret ? '' : ` [${option.usual}]`
    const need = option.isRequired && option.usual === undefined ? '' : ', Enter skips it'
    const question = `${printable(option.title)} (${option.key}, ${option.type}${usual === '' ? need : ''})${printable(usual)}: `
    for (;;) {
      const said = option.isSecret
        ? await readSecret(question, interruption)
        : ((await askOnTerminal(question, signal)) ?? '')
      if (said.trim() === '') break
      const checked = checkOption(option, said)
      if (checked.type === 'ok') {
        answers[option.key] = checked.value
        break
      }
      printWarning(host, checked.reason)
    }
  }
  return answers
}

/** Keeps what the user has set, and says what is still missing. */
export async function keepAnswers(
  { folder, name }: { readonly folder: string; readonly name: string },
  options: readonly PluginOption[],
  answers: PluginAnswers,
  { host }: Pick<RunContext, 'host'>,
): Promise<void> {
  if (options.length === 0) return
  const isKnown = ([key]: [string, string]) => options.some((one) => one.key === key)
  await writeAnswers(folder, name, Object.fromEntries(Object.entries(answers).filter(isKnown)))
  for (const { key } of missingOptions(options, answers))
    printWarning(host, `${name} needs ${key}: pipe plugin config ${name} --config ${key}=VALUE sets it`)
}

/** Shows what a plugin asks for and what is set of it, no secret; or sets it. Throws `input`, `usage`, `invalid`. */
export async function configurePlugin(name: string, context: RunContext): Promise<void> {
  const { host, flags } = context
  await withPluginStore(context, async (store) => {
    const { folder } = store
    const installed = requireNamed(store.read().plugins, name, 'plugin')
    const { root, data } = placesOf(folder, installed)
    const found = readPlugin({ root, data, name, ...omitUndefined({ components: installed.components }) })
    if (found.type === 'refused') throw new PipeError('invalid', `${name} cannot be read: ${found.reason}`)
    const { options } = found.value
    const known = readAnswers(folder, name)
    const given = givenAnswers(options, context)
    const isChange = Object.keys(given).length > 0
    const answers = isChange ? { ...known, ...given } : await askForOptions(options, known, context)
    if (isChange || Object.keys(answers).length > Object.keys(known).length)
      await keepAnswers({ folder, name }, options, answers, context)
    const rows = options.map((option) => rowOf(option, answers))
    if (flags.format === 'json') {
      const listed = new JsonList(host.stdout, 'options')
      for (const row of rows) listed.add(row)
      listed.end()
    } else if (rows.length === 0) printWarning(host, `${name} has no options`)
    else
      for (const { key, value, state, title } of rows)
        host.stdout.write(
          `${visibleLine(`${key}: ${value ?? state}${title === key ? '' : ` (${title})`}`)}\n`,
        )
  })
}

function rowOf({ key, type, title, isRequired, isSecret, usual }: PluginOption, answers: PluginAnswers) {
  const value = answers[key] ?? usual
  const state = value === undefined ? (isRequired ? 'needed' : 'not set') : 'set'
  return {
    key,
    type,
    title,
    state,
    required: isRequired,
    sensitive: isSecret,
    ...(!isSecret && omitUndefined({ value })),
  }
}
