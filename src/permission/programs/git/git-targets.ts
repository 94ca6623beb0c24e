import { type Field, knownField } from '../../bash/fields.ts'
import { copiesOf, fileOfUrl } from '../copying.ts'
import { hasWord } from '../word-fields.ts'

/** Paths that git creates, moves or restores, if the subcommand comes first. */
export function gitTargets(args: readonly Field[], operands: readonly Field[]): readonly Field[] {
  const [subcommand, ...rest] = operands
  switch (subcommand?.text) {
    case 'checkout':
    case 'restore':
    case 'init':
      return rest
    case 'rm':
      return hasWord(args, /^--cached$/) ? [] : rest
    case 'mv':
      return copiesOf({ moves: true }, rest)
    case 'apply':
      return hasWord(args, /^--(cached|check|stat|numstat|summary)$/) ? [] : [knownField('.')]
    case 'am':
      return [knownField('.')]
    case 'clean':
      return rest.length === 0 ? [knownField('.')] : rest
    case 'clone':
      return rest.length === 1 ? rest.flatMap(fileOfUrl) : rest.slice(-1)
    case 'worktree':
    case 'bundle':
      return /^(add|create)$/.test(rest[0]?.text ?? '') ? rest.slice(1, 2) : []
    default:
      return []
  }
}
