import { findDirectories } from '../../config/directories.ts'
import { openFolderTrust } from '../../config/folder-trust.ts'
import { type Layer, type LayeredSettings, loadSettings, type Source, sourceOf } from '../../config/layers.ts'
import { stdinUses } from '../../config/own-choices.ts'
import { permissionModes } from '../../config/permission-mode.ts'
import { isPipeError, PipeError } from '../../error.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { sandboxModes } from '../../sandbox.ts'
import type { Session } from '../../session.ts'
import type { Flags } from '../flags.ts'
import type { Host } from '../host.ts'
import type { OptionName } from '../options.ts'
import { tell } from '../output.ts'

/** Reads the settings of this run from all layers. Reports faults of project files on stderr. Throws `config`. */
export async function openSettings(host: Host, flags: Flags): Promise<LayeredSettings> {
  const loaded = await readAllSettings(host, flags)
  for (const warning of loaded.warnings) tell(host, warning)
  return loaded
}

/** Reads the same without reporting. */
export async function readAllSettings({ cwd, env, home }: Host, flags: Flags): Promise<LayeredSettings> {
  const { config } = findDirectories(env, home)
  const { warnings, ...trust } = await openFolderTrust({ config, cwd, home, forThisRun: flags.has('trust') })
  const loaded = await loadSettings({ config, cwd, env, flags: readFlags(flags), trust })
  return { ...loaded, warnings: [...warnings, ...loaded.warnings] }
}

function readFlags(flags: Flags): readonly Layer[] {
  const model = flags.text('model')
  const systemPrompt = flags.text('system-prompt')
  const mode = flags.has('yolo')
    ? 'bypass'
    : permissionModes.find((one) => one === flags.text('permission-mode'))
  const sandbox = [...sandboxModes, 'off' as const].find((one) => one === flags.text('sandbox'))
  const stdin = stdinUses.find((one) => one === flags.text('stdin'))
  const rules = (name: OptionName) => flags.all(name).flatMap(splitRules)
  return [
    { source: flag('--model'), settings: omitUndefined({ model }) },
    { source: flag('--system-prompt'), settings: omitUndefined({ system_prompt: systemPrompt }) },
    { source: flag('--stdin'), settings: omitUndefined({ stdin }) },
    { source: flag('--no-audit'), settings: flags.has('no-audit') ? { audit: 'off' } : {} },
    { source: flag('--sandbox'), settings: sandbox === undefined ? {} : { sandbox: { mode: sandbox } } },
    {
      source: flag('--allow-network'),
      settings: flags.has('allow-network') ? { sandbox: { network: true } } : {},
    },
    { source: flag('--permission-mode'), settings: mode === undefined ? {} : { permissions: { mode } } },
    { source: flag('--allowed-tools'), settings: { permissions: { allow: rules('allowed-tools') } } },
    { source: flag('--disallowed-tools'), settings: { permissions: { deny: rules('disallowed-tools') } } },
  ]
}

/** Splits `Bash(git diff:*), Read` into two rules. Parts of a broken rule are invalid, and rejected when rules are read. */
function splitRules(text: string): readonly string[] {
  return text.match(/(?:\([^()]*\)|[^\s,])+/g) ?? []
}

function flag(name: string): Source {
  return { type: 'flag', name }
}

/** Adds to errors about a new conversation's model which file or variable sets it. The person may not know. */
export function nameModelSource(
  layers: readonly Layer[],
  session: Session | undefined,
): (error: unknown) => never {
  return (error) => {
    const source = session === undefined ? sourceOf(layers, ({ model }) => model) : undefined
    if (!isPipeError(error) || source === undefined || source.type === 'flag') throw error
    const { code, message, details } = error
    throw new PipeError(code, `${message} (${source.name} sets the model)`, { cause: error, details })
  }
}
