import type { Field } from '../bash/fields.ts'
import { carriesMessage, languageOf, runsCommands } from './exec-options.ts'
import { shells, wrapsCommand } from './inner.ts'
import { isReader } from './read-only.ts'

/** Programs whose words are names and texts, or for which pipe knows where in their words a command begins. */
const known = new Set(
  // Shell builtins.
  (
    'export declare typeset local readonly unset read return exit break continue shift alias unalias trap eval let printf wait ' +
    'pushd popd dirs jobs fg bg disown kill umask ulimit shopt source . hash history complete compgen mapfile readarray getopts ' +
    // Programs whose words name files, packages, processes or pages.
    'rm rmdir unlink mv cp tee touch mkdir chmod chown chgrp ln install truncate dd shred patch less more man info whatis ' +
    'apropos tldr whereis help pkill killall pidof diff3 sum jq yq gzip gunzip bzip2 xz zstd unzip sha1sum open code curl wget ' +
    'apt apt-get aptitude dnf yum apk pacman zypper snap flatpak brew port pip pip3 gem npm pnpm yarn cargo rustup docker ' +
    'podman kubectl helm aws gcloud az gsutil gh glab svn hg conda systemctl service git tar rsync sed gsed sort fd fdfind rg ' +
    // Compilers, checkers and test runners.
    'gcc g++ cc clang clang++ rustc javac tsc eslint prettier biome ruff black mypy pytest vitest jest mocha ctest'
  ).split(' '),
)

/** Whether pipe finds every command that a program runs, so that no other word need count as a command. */
export function isFollowed(name: string): boolean {
  return known.has(name) || isReader(name) || shells.has(name) || wrapsCommand(name)
}

/** Words, in order, at each of which a command may begin: those of unknown programs, and of code that runs commands. */
export function mentionsIn(name: string, args: readonly Field[]): readonly string[] {
  if (shells.has(name)) return args.some(({ text }) => /^[-+]/.test(text)) ? [] : wordsOf(args)
  if (name === '' || /^\d/.test(name) || isFollowed(name)) return []
  const language = languageOf(name)
  const isCode = language !== undefined && args.some(({ text }) => language.code.test(text))
  return isCode ? mentionsInCode(args.map(({ text }) => text).join('\n')) : wordsOf(args)
}

/** The words of code that runs commands; none if it runs none. */
export function mentionsInCode(code: string): readonly string[] {
  return runsCommands.test(code) ? wordsIn(code) : []
}

/** The words of a text, whatever separates them. */
export function wordsIn(text: string): readonly string[] {
  return text.match(/[\w./:@%+~-]+/g) ?? []
}

function wordsOf(args: readonly Field[]): readonly string[] {
  return args.flatMap(({ text }, i) => (carriesMessage.test(args[i - 1]?.text ?? '') ? [] : wordsIn(text)))
}
