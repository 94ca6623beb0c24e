import type { Family, Pattern, Program, ReadsOnly } from '../program.ts'
import { none } from '../readers.ts'

const wrapper: Program = { wraps: { skips: 0 } }
const afterOne: Program = { wraps: { skips: 1 } }
const noWords = () => 0

/** Programs that run other programs. */
export const wrappers: Family = {
  time: {
    ...wrapper,
    outputs: /^(-[a-z]*?o|--output)/,
    prefix: ([option]) => (option === '-p' ? 1 : 0),
  },
  nice: {
    ...wrapper,
    prefix: ([option = '', value = '']) => {
      if (option === '-n') return /^-?\d+$/.test(value) ? 2 : undefined
      return /^(-n|-)-?\d+$/.test(option) ? 1 : 0
    },
  },
  'nohup builtin noglob': { ...wrapper, prefix: noWords },
  command: {
    wraps: { skips: 0, looksUp: /^-p?[vV]/ },
    prefix: noWords,
    reads: {
      files: none,
      accepts: (_, args) => args.length > 1 && /^-[vV]$/.test(args[0] ?? ''),
    },
    opensNone: true,
  },
  stdbuf: {
    ...wrapper,
    prefix: (args) => {
      const count = args.findIndex((arg) => !/^-[ioe](L|\d+)$/.test(arg))
      return count > 0 ? count : undefined
    },
  },
  timeout: { ...afterOne, prefix: wordsOfTimeout },
  env: { wraps: { skips: 0, splits: /^(-\w*?S|--s[a-z-]*)/ } },
  xargs: {
    wraps: { skips: 0, feeds: true },
    reads: {
      files: (_, args, readsOnly) => readsOnly(fedCommand(args)) ?? [],
      accepts: (_, args, readsOnly) => isFedSafely(args, readsOnly),
    },
  },
  watch: { wraps: { skips: 0, script: 'joined' }, doesMore: always },
  'setsid ionice': { ...wrapper, doesMore: always },
  flock: { ...afterOne, doesMore: always },
  'sudo doas unshare nsenter runuser npx bunx': { ...wrapper, opensShell: 0 },
  'su chroot': { ...afterOne, opensShell: 1 },
  sg: { wraps: { skips: 1, script: 'joined' }, opensShell: 1 },
  script: {
    ...afterOne,
    opensShell: 1,
    outputs: /^(-[a-z]*[IOBT]|--log-[a-z]+)/,
    valued: /^-[a-z]*[cEom]$/,
    writes: (_, operands) => operands.slice(0, 1),
  },
  newgrp: { opensShell: 0 },
  'nix-shell': { opensShell: 0, runs: /^--(run|command)/ },
  parallel: { wraps: { skips: 0, script: 'each' }, obeysInput: true },
  'sem rush': { wraps: { skips: 0, script: 'joined' }, obeysInput: true },
  'strace ltrace': { ...wrapper, outputs: /^(-[a-z]*?o|--output)/ },
  'exec nocorrect busybox toybox caffeinate systemd-run setpriv unbuffer linux32 linux64 torify proxychains4':
    wrapper,
  'fakeroot proxychains torsocks rlwrap pkexec catchsegv valgrind coproc chronic ts': wrapper,
  'taskset chrt setarch faketime prlimit cpulimit lockf': afterOne,
  'bwrap firejail numactl start-stop-daemon systemd-inhibit dbus-run-session xvfb-run tmux screen entr hyperfine':
    {
      startsAnywhere: true,
    },
  'nodemon ifne pee xe dotenv dotenvx concurrently': { startsAnywhere: true },
  perf: { launches: ['stat', 'record', 'trace'] },
  xterm: { launches: ['-e'] },
  mise: { launches: ['exec', 'x'] },
  'direnv bundle asdf': { launches: ['exec'] },
  'devbox uv poetry pipenv doppler op': { launches: ['run'] },
  nix: { launches: ['run', 'shell', 'develop'] },
  nvm: { launches: ['exec', 'run'] },
  vagrant: { runs: /^(-c|--command)/ },
  fzf: { runs: /^--(preview|bind)/ },
  bind: { runs: /^-x/ },
}

export const wrappersByPattern: readonly Pattern[] = [
  // The dynamic loader, called by its own name.
  [/^ld[-.].*\bso\b/, { startsAnywhere: true }],
]

function always() {
  return true
}

function wordsOfTimeout(args: readonly string[]): number | undefined {
  let i = 0
  for (; args[i]?.startsWith('-') === true; i++) {
    const option = args[i] ?? ''
    if (/^-[ks]$/.test(option)) i++
    else if (
      !/^(--foreground|--preserve-status|-v|--verbose|--(signal|kill-after)=\w+|-[ks]\w+)$/.test(option)
    )
      return undefined
  }
  return /^\d+(\.\d+)?[smhd]?$/.test(args[i] ?? '') ? i + 1 : undefined
}

/** The command that xargs runs. Default: `echo`. The input may only replace `{}` or `%`. */
function fedCommand(args: readonly string[]): readonly string[] {
  let at = 0
  while (at < args.length) {
    if (/^-([0r]|[nP]\d+|I(\{\}|%))$/.test(args[at] ?? '')) at++
    else if (args[at] === '-I' && /^(\{\}|%)$/.test(args[at + 1] ?? '')) at += 2
    else return args.slice(at)
  }
  return ['echo']
}

/** Whether xargs prints nothing of the files named in its input, which can be any, besides counts and checksums. */
function isFedSafely(args: readonly string[], readsOnly: ReadsOnly): boolean {
  const [name = '', ...words] = fedCommand(args)
  const isPut = args.slice(0, args.length - words.length).some((arg) => arg.startsWith('-I'))
  const safe = isPut ? /^(echo|basename|dirname)$/ : /^(echo|wc|basename|dirname|cksum|(md5|sha\d+)sum)$/
  return safe.test(name) && readsOnly([name, ...words]) !== undefined
}
