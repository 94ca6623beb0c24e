import page from '../../../docs/domain.md'
import { nearest } from '../../ranking/nearest.ts'
import { asPrompt, type CliCommands } from '../commands/cli-command.ts'
import { usageError } from '../flags.ts'
import { helpOn } from '../help.ts'
import { subcommands } from '../subcommands.ts'
import { filled, termText } from './term-text.ts'
import { findTerms, readTerms, type Term, termKey } from './terms.ts'

/**
 * Explains the topic of `pipe help`: everything, a command, the exit codes, a term of the domain, or `terms` for their list. A word that
 * is both gets both texts, the command first. Throws `usage` for an unknown topic.
 */
export function explain(topic: readonly string[], commands: CliCommands): string {
  const [first = ''] = topic
  const terms = readTerms(page)
  if (first === 'terms' && topic.length === 1) return listText(terms)
  const found = findTerms(topic.join(' '), terms)
  if (topic.length === 1 && first in commands) {
    // A part of a term that is only called like the command would confuse.
    const named = found.filter(({ name }) => termKey(name) === termKey(first))
    return [helpOn(topic, commands), ...(named.length === 0 ? [] : [termText(named)])].join('\n')
  }
  if (found.length > 0) return termText(found)
  if (topic.length === 0 || ['exit-codes', ...subcommands].includes(first)) return helpOn(topic, commands)
  throw unknownTopic(topic, terms)
}

function unknownTopic(topic: readonly string[], terms: readonly Term[]) {
  const word = topic.join(' ')
  const named = [
    ...['exit-codes', 'licences', 'terms', ...subcommands],
    ...terms.map(({ name }) => name),
    ...terms.flatMap(({ rows }) => rows.map(({ term }) => term)),
  ]
  const keys = named.map(termKey)
  const close = nearest(termKey(word), keys)
  const name = close === undefined ? undefined : named[keys.indexOf(close)]
  const hint = name === undefined ? '' : ` Did you mean pipe help ${name.replace(/\(.*$/, '')}?`
  return usageError(
    `pipe help takes a command, a term (pipe help terms lists them), exit-codes or licences, not ${JSON.stringify(word)}.${hint} ${asPrompt('help')}`,
  )
}

/** Lists the names of all terms by their source. */
function listText(terms: readonly Term[]): string {
  const sources = [...new Set(terms.map(({ source }) => source))]
  return sources
    .map((source) => {
      const names = terms.filter((term) => term.source === source).map(({ name }) => name)
      return `${source}\n${filled([...new Set(names)].join(', '), 2)}`
    })
    .join('\n')
}
