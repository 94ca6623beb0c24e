import type { Field } from '../bash/fields.ts'
import type { CommandContext, Destination } from '../command-line.ts'
import { cdOption } from '../programs/arguments.ts'
import { commandName } from '../programs/command-name.ts'
import { innerOf } from '../programs/inner.ts'
import { programIn } from '../programs/table.ts'
import { targetsOf } from '../programs/targets.ts'
import type { Execution } from './execution.ts'
import { enter, foldersOf } from './folders.ts'

/**
 * The known paths that a line's commands write to, create or remove, apart from redirects. `fed`: words that xargs passes to its
 * command.
 */
export function destinationsOf(
  execution: Execution,
  context: CommandContext,
  fed: readonly Field[],
): readonly Destination[] {
  const places = placesOf(execution, context)
  const all = new Map<string, Destination>()
  for (const fields of [...execution.commands, ...fedCommands(execution, fed)]) {
    const { certain, possible } = targetsOf(fields)
    for (const { text, glob, known } of [...certain, ...possible]) {
      if (!known) continue
      for (const place of places) {
        const one = { path: enter(place.path, text, context.home), glob: glob || place.glob }
        all.set(`${one.glob} ${one.path}`, one)
      }
    }
  }
  return [...all.values()]
}

/** Globs passed to `cd` to consider. */
const mostGlobs = 8

/** The folders that commands may run in, including those named by a glob. */
function placesOf(execution: Execution, context: CommandContext): readonly Destination[] {
  const folders = foldersOf(execution, context)
  const globs = execution.commands.flatMap((fields) => {
    const folder = fields.slice(1).find(({ text }) => !cdOption.test(text))
    return /^(cd|pushd)$/.test(commandName(fields)) && folder?.glob && folder.known ? [folder.text] : []
  })
  return [
    ...folders.map((path) => ({ path, glob: false })),
    ...globs
      .slice(0, mostGlobs)
      .flatMap((glob) => folders.map((path) => ({ path: enter(path, glob, context.home), glob: true }))),
  ]
}

/** The commands of xargs with the fed words in place of their unknown ones: all together, and each alone. */
function fedCommands({ commands }: Execution, fed: readonly Field[]): readonly (readonly Field[])[] {
  if (fed.length === 0) return []
  return commands
    .filter((fields) => programIn(fields)?.feeds)
    .flatMap((fields) => innerOf(fields).commands)
    .flatMap((fields) =>
      [fed, ...fed.map((one) => [one])].map((put) =>
        fields.flatMap((field) => (field.known ? [field] : put)),
      ),
    )
}
