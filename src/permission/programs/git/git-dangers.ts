/** Options before git's subcommand that take the next word. */
const valued = /^(-C|-c|--git-dir|--work-tree|--namespace|--config-env|--exec-path)$/

/** The danger of a git command, from the words after `git`; `undefined` if it is not known to have one. */
export function gitDanger(words: readonly string[]): string | undefined {
  let at = 0
  while (words[at]?.startsWith('-')) at += valued.test(words[at] ?? '') ? 2 : 1
  const [subcommand = '', ...args] = words.slice(at)
  return Object.hasOwn(dangers, subcommand) ? dangers[subcommand]?.(args) : undefined
}

const dangers: Readonly<Record<string, (args: readonly string[]) => string | undefined>> = {
  push: (args) => {
    if (has(args, /^(-[a-z]*d|--delete|--prune|--mirror)$|^:./)) return 'deletes a branch on the remote'
    if (has(args, /^(-[a-z]*f|--force.*|\+.*)$/)) return 'overwrites a branch on the remote'
    return has(args, /^(-[a-z]*n|--dry-run)$/) ? undefined : 'publishes commits'
  },
  reset: (args) => (has(args, /^--(hard|merge|keep)$/) ? 'throws away uncommitted changes' : undefined),
  clean: (args) =>
    has(args, /^(-[a-zA-Z]*n|--dry-run)/) || !has(args, /^(-[a-zA-Z]*f|--force)/)
      ? undefined
      : 'deletes files that git does not track',
  checkout: (args) =>
    has(args, /^(-[a-z]*f|--force|--|\.|:.*)$/) ? 'throws away uncommitted changes' : undefined,
  restore: (args) =>
    has(args, /^(-[A-Z]*S|--staged)$/) && !has(args, /^(-[A-Z]*W|--worktree)$/)
      ? undefined
      : 'throws away uncommitted changes',
  switch: (args) =>
    has(args, /^(-[a-z]*f|--force|--discard-changes)$/) ? 'throws away uncommitted changes' : undefined,
  stash: ([verb]) => (/^(drop|clear)$/.test(verb ?? '') ? 'deletes stashed changes' : undefined),
  branch: (args) => (has(args, /^(-[a-z]*D|--delete)$/) ? 'deletes a branch' : undefined),
  tag: (args) => (has(args, /^(-[a-z]*d|--delete)$/) ? 'deletes a tag' : undefined),
  rm: (args) => (has(args, /^--cached$/) ? undefined : 'deletes files'),
  reflog: ([verb]) =>
    /^(expire|delete)$/.test(verb ?? '') ? 'deletes history that could be restored' : undefined,
  'filter-branch': () => 'rewrites the history',
  'filter-repo': () => 'rewrites the history',
  config: (args) =>
    has(args, /^--(global|system)$/) && !has(args, /^(--get.*|--list|-l|get|list)$/)
      ? "changes git's settings for all projects"
      : undefined,
}

function has(args: readonly string[], word: RegExp): boolean {
  return args.some((arg) => word.test(arg))
}
