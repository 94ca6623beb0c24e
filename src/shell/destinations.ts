import type { CommandContext, Destination } from '../command-line.ts'
import type { Field } from './fields.ts'
import { enter, foldersOf } from './folders.ts'
import { commandName, innerOf } from './inner.ts'
import { cdOption } from './options.ts'
import type { Reach } from './reach.ts'
import { targetsOf } from './targets.ts'

/**
 * What the commands of a line certainly write to, make or remove, beside redirects. What is not known before it runs is left out.
 * `fed`: words that xargs hands to what it runs.
 */
export function destinationsOf(
  reach: Reach,
  context: CommandContext,
  fed: readonly Field[],
): readonly Destination[] {
  const places = placesOf(reach, context)
  const all = new Map<string, Destination>()
  for (const fields of [...reach.commands, ...fedCommands(reach, fed)]) {
    for (const { text, glob, known } of targetsOf(fields)) {
      if (!known) continue
      for (const place of places) {
        const one = { path: enter(place.path, text, context.home), glob: glob || place.glob }
        all.set(`${one.glob} ${one.path}`, one)
      }
    }
  }
  return [...all.values()]
}

/** Globs that `cd` is given, of which more are not told apart. */
const mostGlobs = 8

/** Where commands may run, also where only a glob says it. */
function placesOf(reach: Reach, context: CommandContext): readonly Destination[] {
  const folders = foldersOf(reach, context)
  const globs = reach.commands.flatMap((fields) => {
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

/** What xargs runs, with what it is fed in the place of what is not known: all of it, and each alone. */
function fedCommands({ commands }: Reach, fed: readonly Field[]): readonly (readonly Field[])[] {
  if (fed.length === 0) return []
  return commands
    .filter((fields) => commandName(fields) === 'xargs')
    .flatMap((fields) => innerOf(fields).commands)
    .flatMap((fields) =>
      [fed, ...fed.map((one) => [one])].map((put) =>
        fields.flatMap((field) => (field.known ? [field] : put)),
      ),
    )
}
