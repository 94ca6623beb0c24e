import type { Field } from '../../bash/fields.ts'
import { asRoot, published } from '../dangers.ts'
import type { Family, Pattern } from '../program.ts'
import { outputOption } from '../program-options.ts'
import { none } from '../readers.ts'
import { fieldsAfter } from '../word-fields.ts'
import { launcher, loose, wrapper } from '../wrapping.ts'
import { xargs } from './xargs.ts'

const atOnce = wrapper()
const afterOne = wrapper({ skips: 1 })
const noWords = () => 0

/** Programs that run other programs. */
export const wrappers: Family = {
  time: {
    ...atOnce,
    outputs: outputOption,
    prefix: ([option]) => (option === '-p' ? 1 : 0),
  },
  nice: {
    ...atOnce,
    prefix: ([option = '', value = '']) => {
      if (option === '-n') return /^-?\d+$/.test(value) ? 2 : undefined
      return /^(-n|-)-?\d+$/.test(option) ? 1 : 0
    },
  },
  'nohup builtin noglob': { ...atOnce, prefix: noWords },
  command: {
    ...wrapper({ looksUp: /^-p?[vV]/ }),
    prefix: noWords,
    reads: {
      files: none,
      accepts: (_, args) => args.length > 1 && /^-[vV]$/.test(args[0] ?? ''),
    },
    opensNone: true,
  },
  stdbuf: {
    ...atOnce,
    prefix: (args) => {
      const count = args.findIndex((arg) => !/^-[ioe](L|\d+)$/.test(arg))
      return count > 0 ? count : undefined
    },
  },
  timeout: { ...afterOne, prefix: wordsOfTimeout },
  env: {
    ...wrapper({ splits: /^(-\w*?S|--s[a-z-]*)/ }),
    takesVariables: true,
    enters: (args) => fieldsAfter(ownWords(args), /^(-[A-Za-z]*C|--c[a-z]*)/),
    endsOptions: true,
  },
  xargs,
  watch: { ...wrapper({ script: 'joined' }), doesMore: always },
  'setsid ionice': { ...atOnce, doesMore: always },
  flock: { ...afterOne, doesMore: always },
  sudo: {
    ...atOnce,
    opensShell: 0,
    takesVariables: true,
    enters: (args) => fieldsAfter(ownWords(args), /^(-[A-Za-z]*D|--chd[a-z]*)/),
    endsOptions: true,
    risk: elevates('sudo'),
    danger: asRoot,
  },
  doas: { ...atOnce, opensShell: 0, risk: elevates('doas'), danger: asRoot },
  'unshare nsenter runuser bunx': { ...atOnce, opensShell: 0 },
  npx: { ...atOnce, opensShell: 0, endsOptions: true },
  su: { ...afterOne, opensShell: 1, risk: elevates('su'), danger: asRoot },
  pkexec: { ...atOnce, risk: elevates('pkexec'), danger: asRoot },
  chroot: { ...afterOne, opensShell: 1 },
  sg: { ...wrapper({ skips: 1, script: 'joined' }), opensShell: 1 },
  script: {
    ...afterOne,
    opensShell: 1,
    outputs: /^(-[a-z]*[IOBT]|--log-[a-z]+)/,
    valued: /^-[a-z]*[cEom]$/,
    writes: (_, operands) => operands.slice(0, 1),
  },
  newgrp: { opensShell: 0 },
  'nix-shell': { opensShell: 0, runs: /^--(run|command)/ },
  parallel: { ...wrapper({ script: 'each' }), obeysInput: true },
  'sem rush': { ...wrapper({ script: 'joined' }), obeysInput: true },
  'strace ltrace': { ...atOnce, outputs: outputOption },
  coproc: { ...atOnce, maySet: true },
  'exec nocorrect busybox toybox caffeinate systemd-run setpriv unbuffer linux32 linux64 torify proxychains4':
    atOnce,
  'fakeroot proxychains torsocks rlwrap catchsegv chronic ts': atOnce,
  valgrind: { ...atOnce, outputs: /^--(log|xml)-file/ },
  'taskset chrt setarch faketime prlimit cpulimit lockf': afterOne,
  'bwrap firejail numactl start-stop-daemon systemd-inhibit dbus-run-session xvfb-run tmux screen entr hyperfine':
    loose,
  'nodemon ifne pee xe dotenv dotenvx concurrently': loose,
  perf: {
    ...launcher('stat', 'record', 'trace'),
    outputs: outputOption,
    runs: /^--(objdump|addr2line|exec-path)/,
  },
  xterm: launcher('-e'),
  mise: launcher('exec', 'x'),
  'direnv bundle asdf': launcher('exec'),
  'devbox pipenv doppler op': launcher('run'),
  uv: {
    ...launcher('run'),
    fills: (_, [verb, ...folders]) => (/^(init|venv)$/.test(verb?.text ?? '') ? folders : []),
  },
  virtualenv: { writes: (_, operands) => operands },
  poetry: { ...launcher('run'), danger: published },
  nix: launcher('run', 'shell', 'develop'),
  nvm: launcher('exec', 'run'),
  vagrant: { runs: /^(-c|--command)/ },
  fzf: { runs: /^--(preview|bind)/ },
  bind: { runs: /^-x/ },
}

export const wrappersByPattern: readonly Pattern[] = [
  // The dynamic loader, called by its own name.
  [/^ld[-.].*\bso\b/, loose],
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

function elevates(name: string) {
  return () => `${name} may change the whole machine`
}

/** Words before the command that `env` or `sudo` runs. A glob among them counts as unknown. */
function ownWords(args: readonly Field[]): readonly Field[] {
  const isOwn = ({ text }: Field, i: number) =>
    /^-|=/.test(text) || /^-[A-Za-z]*[CDugU]$|^--[a-z-]+$/.test(args[i - 1]?.text ?? '')
  const end = args.findIndex((field, i) => !isOwn(field, i))
  return end === -1 ? args : args.slice(0, end)
}
