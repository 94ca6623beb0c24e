import type { Field } from '../bash/fields.ts'
import type { CommandContext, Destination } from '../command-line.ts'
import { commandName } from '../programs/command-name.ts'
import { innerOf } from '../programs/inner.ts'
import { cdOption } from '../programs/program-arguments.ts'
import { programIn } from '../programs/program-table.ts'
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
  const targets = [...execution.commands, ...fedCommands(execution, fed)].flatMap(knownTargets)
  const all = targets.flatMap((target) =>
    places.map((place) => ({
      path: enter(place.path, target.text, context.home),
      glob: target.glob || place.glob,
    })),
  )
  return distinct(all)
}

function knownTargets(fields: readonly Field[]): readonly Field[] {
  const { certain, possible } = targetsOf(fields)
  return [...certain, ...possible].filter(({ known }) => known)
}

function distinct(all: readonly Destination[]): readonly Destination[] {
  return [...new Map(all.map((one) => [`${one.glob} ${one.path}`, one])).values()]
}

/** Globs passed to `cd` to consider. */
const mostGlobs = 8

/** The folders that commands may run in, including those named by a glob. */
function placesOf(execution: Execution, context: CommandContext): readonly Destination[] {
  const folders = foldersOf(execution, context)
  const globs = execution.commands.flatMap(enteredGlob).slice(0, mostGlobs)
  const named = folders.map((path) => ({ path, glob: false }))
  const matching = globs.flatMap((glob) =>
    folders.map((path) => ({ path: enter(path, glob, context.home), glob: true })),
  )
  return [...named, ...matching]
}

/** The glob by which a command enters a folder, if it does. */
function enteredGlob(fields: readonly Field[]): readonly string[] {
  if (!/^(cd|pushd)$/.test(commandName(fields))) return []
  const folder = fields.slice(1).find(({ text }) => !cdOption.test(text))
  return folder?.glob === true && folder.known ? [folder.text] : []
}

/** The commands of xargs with the fed words in place of their unknown ones: all together, and each alone. */
function fedCommands({ commands }: Execution, fed: readonly Field[]): readonly (readonly Field[])[] {
  if (fed.length === 0) return []
  const feeding = commands.filter((fields) => programIn(fields)?.feeds)
  const fillings = [fed, ...fed.map((one) => [one])]
  return feeding
    .flatMap((fields) => innerOf(fields).commands)
    .flatMap((fields) => fillings.map((words) => fillUnknown(fields, words)))
}

/** A command with these words in place of each unknown one. */
function fillUnknown(command: readonly Field[], words: readonly Field[]): readonly Field[] {
  return command.flatMap((field) => (field.known ? [field] : words))
}
