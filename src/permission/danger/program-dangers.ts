import type { Field } from '../bash/fields.ts'
import { hasWord, textsOf } from '../programs/arguments.ts'
import { commandName } from '../programs/command-name.ts'
import { withoutOptions } from '../programs/copying.ts'
import { programOf } from '../programs/table.ts'
import { gitDanger } from './git-dangers.ts'

/** Says what is dangerous about a command, in words for people; `undefined` if nothing is known to be. */
type Describe = (args: readonly Field[]) => string | undefined

/** The danger of a command by its name and words. Deletions name the paths as they are written. */
export function programDanger(fields: readonly Field[]): string | undefined {
  const name = commandName(fields)
  const args = fields.slice(1)
  const ruined = programOf(name)?.ruins?.(textsOf(args))
  return ruined?.replace(/^it /, '') ?? dangers.get(name)?.(args)
}

const says = (text: string) => () => text
const network = says('uses the network')

const dangers: ReadonlyMap<string, Describe> = new Map(
  Object.entries({
    ...{ 'sudo doas pkexec su': says('runs as root') },
    ...{ rm: removed, 'unlink shred srm': removed, find: foundAndDeleted },
    ...{ git: (args) => gitDanger(textsOf(args)), curl: sent, wget: sent },
    'http https xh aria2c ssh scp sftp nc ncat socat telnet ftp ping dig nslookup host': network,
    rsync: (args) => (args.some(({ text }) => /^[^/]*:/.test(text)) ? 'uses the network' : undefined),
    'npm yarn pnpm bun cargo gem twine poetry': published,
    'chmod chown chgrp': opened,
    'pkill killall': (args) => `stops every process named ${namesOf(withoutOptions(args))}`,
    'shutdown reboot halt poweroff': says('shuts the computer down'),
    crontab: (args) => (hasWord(args, /^-l$/) ? undefined : 'changes what runs on a schedule'),
    'docker podman': inContainers,
    kubectl: (args) => (hasWord(args, /^delete$/) ? 'deletes resources of a cluster' : undefined),
    'terraform tofu': (args) => (hasWord(args, /^destroy$/) ? 'destroys infrastructure' : undefined),
    'psql mysql mariadb sqlite3': (args) =>
      hasWord(args, /\b(drop|truncate|delete\s+from)\b/i) ? 'deletes data in a database' : undefined,
  } satisfies Record<string, Describe>).flatMap(([names, describe]) =>
    names.split(' ').map((name): [string, Describe] => [name, describe]),
  ),
)

/** Names to list before the rest is counted. */
const mostNames = 3

function namesOf(fields: readonly Field[], suffix = ''): string {
  const names = fields.map(({ text }) => (suffix === '' || /[/*?\]}]$/.test(text) ? text : text + suffix))
  const rest = names.length - mostNames
  return rest > 0 ? `${names.slice(0, mostNames).join(', ')} and ${rest} more` : names.join(', ')
}

function removed(args: readonly Field[]): string | undefined {
  if (hasWord(args, /^--(help|version)$/)) return undefined
  const operands = withoutOptions(args)
  if (operands.length === 0) return 'deletes what its input names'
  if (operands.some(({ known }) => !known)) return 'deletes files that are only known when it runs'
  const isTree = hasWord(args, /^-[A-Za-z]*[rR]|^--rec/)
  return `deletes ${namesOf(operands, isTree ? '/' : '')}`
}

function foundAndDeleted(args: readonly Field[]): string | undefined {
  return hasWord(args, /^-delete$/) ? 'deletes the files that it finds' : undefined
}

/** Options of `curl` and `wget` that send data. */
const sends = /^(-[A-Za-z]*[dFT]|--(data|form|upload-file|post|body|json))/

function sent(args: readonly Field[]): string {
  return hasWord(args, sends) || hasWord(args, /^-?(X|-request=?)?(POST|PUT|PATCH|DELETE)$/)
    ? 'sends data over the network'
    : 'uses the network'
}

function published(args: readonly Field[]): string | undefined {
  const [first] = withoutOptions(args)
  return /^(publish|upload|push)$/.test(first?.text ?? '') ? 'publishes a package' : undefined
}

function opened(args: readonly Field[]): string | undefined {
  if (!hasWord(args, /^-[A-Za-z]*R|^--rec/)) return undefined
  const [, ...paths] = withoutOptions(args)
  return `changes who may use everything in ${namesOf(paths)}`
}

function inContainers(args: readonly Field[]): string | undefined {
  const words = textsOf(withoutOptions(args)).join(' ')
  if (
    /^((system|volume|image|container|network|builder) )?prune|^(volume|image|container|network) rm/.test(
      words,
    )
  )
    return 'deletes containers, images or volumes'
  if (hasWord(args, /^--privileged$/)) return 'runs as root'
  return /^(push|image push)\b/.test(words) ? 'publishes an image' : undefined
}
