import { type Field, knownField } from '../../bash/fields.ts'
import { copiesOf } from '../copying.ts'
import { inContainers, saysIf } from '../dangers.ts'
import type { Copying, Family, OptionSpec, Program } from '../program.ts'
import { firstOperand, orHere } from '../program-options.ts'
import { printsVersion, shows } from '../readers.ts'
import { fieldsAfter, fieldsOf, hasWord } from '../word-fields.ts'
import { launcher } from '../wrapping.ts'

const remote: Copying = { remote: true }

/** Options of `docker run` that give the container nothing of this machine but what they say. */
const isolating: OptionSpec =
  'diqPtc:e:h:l:m:p:u:w: detach init interactive no-healthcheck publish-all quiet read-only rm tty add-host= cpus= entrypoint= ' +
  'env= env-file= expose= hostname= label= memory= name= net= network= platform= publish= pull= shm-size= user= workdir='

/** Returns the words of `docker run` up to the image, whose programs run on the container's own files. */
function untilImage(words: readonly string[]): readonly string[] | undefined {
  const [, subcommand, ...args] = words
  const image = subcommand === 'run' ? firstOperand(isolating, args) : undefined
  return image === undefined ? undefined : words.slice(0, image + 3)
}

interface Mount {
  readonly folder: Field
  /** The container can only read it. */
  readonly isRead: boolean
}

/** Files and folders of this machine that a container gets: `-v HOST:PATH:ro`, `--mount type=bind,source=HOST,readonly`. */
function mountsIn(args: readonly Field[]): readonly Mount[] {
  const volumes = fieldsAfter(args, /^(-[diPqt]*v|--volume(?==|$))/).flatMap((field): readonly Mount[] => {
    const [host = '', ...rest] = field.text.split(':')
    // A name without a slash is a volume of the daemon.
    const isFolder = rest.length > 0 && /[/~.]/.test(host)
    const isRead = rest.slice(1).some((options) => options.split(',').includes('ro'))
    return isFolder ? [{ folder: { ...field, text: host }, isRead }] : []
  })
  const mounts = fieldsAfter(args, /^--mount(?==|$)/).flatMap((field): readonly Mount[] => {
    const [, host] = /(?:^|,)(?:source|src)=([^,]+)/.exec(field.text) ?? []
    if (host === undefined || !/(^|,)type=bind(,|$)/.test(field.text)) return []
    return [
      { folder: { ...field, text: host }, isRead: /(^|,)(readonly|ro)(=true|=1)?(,|$)/.test(field.text) },
    ]
  })
  return [...volumes, ...mounts]
}

/** Finds the folders in which a build leaves its result or its cache: `--output type=local,dest=DIR`. */
function exportedTo(args: readonly Field[]): readonly Field[] {
  return fieldsAfter(args, /^(-o|--output|--cache-to)(?==|$)/).flatMap((field) => {
    const [, text] = /(?:^|,)dest=([^,]+)/.exec(field.text) ?? []
    return text === undefined ? [] : [{ ...field, text }]
  })
}

/** The folders that a build or a copy sends. Values of options may stand among them. */
function sentTo(_: readonly Field[], operands: readonly Field[]): readonly Field[] {
  const at = operands.slice(0, 3).findIndex(({ text }) => /^(build|bud|cp|run|exec)$/.test(text))
  const words = operands.slice(at + 1)
  switch (operands[at]?.text) {
    case 'build':
    case 'bud':
      // The parts of a project name their folders elsewhere.
      return operands[0]?.text === 'compose' ? [knownField('.')] : words
    case 'cp':
      return words.slice(0, -1)
    default:
      return []
  }
}

/** Runs and copies in containers. */
const container: Program = {
  ...launcher('exec', 'run'),
  gathers: sentTo,
  writes: (args, operands) => [
    ...(operands.some(({ text }) => text === 'cp') ? copiesOf(remote, operands) : []),
    ...exportedTo(args),
  ],
  mayRead: (args) => mountsIn(fieldsOf(args)).map(({ folder }) => folder.text),
  worksIn: (args) => mountsIn(args).flatMap(({ folder, isRead }) => (isRead ? [] : folder)),
  wordsAreData: true,
}

/** Asks the user's daemon. Without `inspect`, which shows environments that may hold keys. */
const dockerReader = shows(
  {
    ps: 'aqslf:n: all quiet no-trunc size latest filter= format= last=',
    images: 'aqf: all quiet no-trunc digests filter= format=',
    logs: 'ftn: follow timestamps details tail= since= until=',
  },
  { other: printsVersion('-v --version') },
)

const resources: OptionSpec =
  'Awn:l: all-namespaces show-labels no-headers watch namespace= selector= field-selector= sort-by='

/** Asks the user's cluster. Without `-o`, whose formats may name a file, and without secrets. */
const kubectlReader = shows(
  {
    get: resources,
    describe: resources,
    top: resources,
    'api-resources': resources,
    version: ' client output=',
    logs:
      'fpn:c:l: follow previous timestamps all-containers prefix namespace= container= selector= tail= since= ' +
      'since-time=',
  },
  { hides: /secret/i },
)

/** Options of `helm` that choose among releases. */
const releases: OptionSpec =
  'Aadmn:o:qr all all-namespaces deployed failed pending short date reverse namespace= output= filter= max= offset= revision='

/** Containers and clusters. */
export const containers: Family = {
  docker: {
    ...container,
    untilHost: untilImage,
    reads: dockerReader,
    outputs: /^(-o|--output|--(iid|cid|metadata-)file)/,
    takesNames: /^(logs|stop|rm|kill|restart)$/,
    danger: inContainers,
  },
  podman: {
    ...container,
    ...launcher('exec', 'run', 'unshare'),
    untilHost: untilImage,
    detours: /^--(runtime|conmon|hooks-dir)(=|$)/,
    danger: inContainers,
  },
  // Settings of a cluster may name a program to log in with, and a server gets the user's token.
  kubectl: {
    ...container,
    gathers: (args, operands) => [
      ...sentTo(args, operands),
      ...fieldsAfter(args, /^--from-file(?==|$)/).map((field) => ({
        ...field,
        text: field.text.replace(/^[^=/]*=/, ''),
      })),
    ],
    reads: kubectlReader,
    detours: /^(--(kubeconfig|server|exec-command)(=|$)|-[AwRLfp]*s)/,
    danger: saysIf(/^delete$/, 'deletes resources of a cluster'),
  },
  'docker-compose': {
    ...launcher('exec', 'run'),
    gathers: (_, [verb]) => (verb?.text === 'build' ? [knownField('.')] : []),
  },
  buildah: { gathers: sentTo },
  helm: {
    writes: (_, [verb, ...names]) => (verb?.text === 'create' ? names : []),
    outputs: /^(-d|--(destination|output-dir))/,
    fills: (args) =>
      hasWord(args, /^--untar$/) ? orHere(fieldsAfter(args, /^(-d|--(destination|untardir))(?==|$)/)) : [],
    runs: /^--post-renderer/,
    reads: shows({ list: releases, ls: releases, status: releases, history: releases, version: ' short' }),
    detours: /^--(kube-?[a-z-]*|registry-config|repository-(cache|config))(=|$)/,
    wordsAreData: true,
  },
}
