import { fileOfUrl } from '../copying.ts'
import { sent, networkDanger as usesNetwork } from '../dangers.ts'
import type { Family } from '../program.ts'
import { orHere, outputOption, upToSecond } from '../program-options.ts'
import { none } from '../readers.ts'
import { isRemoteFile, untilHost } from '../remote-programs.ts'
import { fieldsAfter, fieldsOf, filesNamedBy, hasOne, hasWord } from '../word-fields.ts'
import { launcher, wrapper } from '../wrapping.ts'

/** Whether `ip` only shows an object: `ip -br addr`, `ip route get HOST`. */
function isShownByIp(args: readonly string[]): boolean {
  const [object = '', verb, ...more] = args.slice(
    args.findIndex((arg) => !/^-(br(ief)?|[46cdhjops]|stats|details|json)$/.test(arg)),
  )
  if (!/^(a|addr|address|l|link|n|neigh|r|route|rule)$/.test(object)) return false
  return (
    verb === undefined || (/^(show|list|ls|get)$/.test(verb) && !more.some((word) => word.startsWith('-')))
  )
}

const optionsFromFile = /^(-[fgiIkLNsSv#01346jqalMpRGO]*K|--conf[a-z]*)/

/** Options of `curl` whose value may name several files to send, and the files: `f=@a,"b";type=x`, `f=<a`, `{a,b}`. */
const formOption = /^(-[fgiIkLNsSv#01346jqalMpRGO]*[FT]|--(form|upload-file)(?==|$))/

function filesOfForm(value: string): readonly string[] {
  return value.replace(/^[^=@<]*=?[@<]/, '').split(/["{},;]/)
}

/** Commands that talk to other machines. */
export const network: Family = {
  curl: {
    danger: sent,
    optionNames: { '--request': '-X' },
    options:
      'fgiIkLNsSv#01346jqalMpRGOA:b:c:C:d:D:e:F:H:h:m:o:P:Q:r:t:T:u:U:x:X:y:Y:z:E: silent show-error fail head include ' +
      'insecure compressed verbose globoff ipv4 ipv6 get location remote-name create-dirs no-progress-meter ' +
      'progress-bar http1.1 http2 request= header= data= data-raw= data-binary= data-urlencode= form= json= user= ' +
      'user-agent= url= upload-file= output= output-dir= cookie= cookie-jar= dump-header= proxy= retry= retry-delay= ' +
      'max-time= connect-timeout= cacert= cert= key=',
    outputs:
      /^(-[^-]*?[oDc]|--(output(-dir)?|dump-header|cookie-jar|trace(-ascii)?|stderr|hsts|alt-svc|etag-save|libcurl)(?==|$))/,
    writes: (args, operands) =>
      hasWord(args, /^-[A-Za-z]*O|^--remote-name/) ? operands.flatMap(fileOfUrl) : [],
    // The server or a file of options names the output.
    fills: (args) =>
      hasWord(args, /^(-[A-Za-z]*J|--remote-header)/) || hasWord(args, optionsFromFile)
        ? orHere(fieldsAfter(args, /^--output-dir(?==|$)/))
        : [],
    mayRead: (args) => fieldsAfter(fieldsOf(args), formOption).flatMap(({ text }) => filesOfForm(text)),
    readsListed: hasOne(optionsFromFile),
    // A file of options or a format may name any output, and an engine is loaded.
    detours: (word) => optionsFromFile.test(word) || /^--en[a-z]*|%output\{/.test(word),
    mayWrite: 'unknown words',
    wordsAreData: true,
  },
  wget: {
    danger: sent,
    options:
      'qvcnSdNHpkmrKF46O:P:o:a:T:t:w:Q:U:l:A:D:R:I:X: quiet verbose no-verbose continue no-check-certificate ' +
      'timestamping show-progress recursive no-parent mirror spider no-clobber server-response output-document= ' +
      'directory-prefix= output-file= append-output= save-cookies= load-cookies= header= user-agent= post-data= ' +
      'post-file= body-data= method= timeout= tries= user= password= level= accept= reject= wait=',
    outputs:
      /^(-[A-Za-z]*?[OPoa]|--(output-document|directory-prefix|output-file|append-output|save-cookies))/,
    writes: (args, operands) =>
      hasWord(args, /^-[A-Za-z]*O|^--output-document/) ? [] : operands.flatMap(fileOfUrl),
    fills: (args) =>
      hasWord(args, /^(-[A-Za-z]*[rmpxi]|--(rec|mir|page|force-dir|inp|content-d)[a-z-]*)/)
        ? orHere(fieldsAfter(args, /^(-[A-Za-z]*?P|--directory-prefix)/))
        : [],
    runs: /^(--use-a[a-z-]*|--conf[a-z]*|(-e|--exe[a-z]*=)?use[-_]?ask[-_]?pass)/i,
    // As settings: `-e output_document=FILE`.
    detours: /^(?!--(?!exe)).*(output[-_]?document|dir[-_]?prefix|save[-_]?cookies|log[-_]?file)\s*=/i,
    mayWrite: 'unknown words',
    wordsAreData: true,
  },
  ssh: {
    ...wrapper({ skips: 1, script: 'joined' }),
    danger: usesNetwork,
    opensShell: 1,
    runs: /^-[46AaCfGgKkMNnqsTtVvXxYy]*[oFI]/,
    ownWords: upToSecond,
    untilHost,
    endsOptions: true,
  },
  scp: {
    danger: usesNetwork,
    options: '346ABCpqrTvOc:D:F:i:J:l:o:P:S:X:',
    copies: { remote: true },
    isRemoteFile,
    followsLinks: 'always',
    runs: /^-[346ABCOpqRrTv]*[oSFD]/,
    mayWrite: 'unknown words',
  },
  sftp: {
    writes: (_, [, ...targets]) => targets,
    danger: usesNetwork,
    runs: /^-[46AaCfNpqrv]*[bDFoS]/,
    obeysInput: true,
    isRemoteFile,
    readsListed: hasOne(/^-[46AaCfNpqrv]*b/),
  },
  nc: { danger: usesNetwork, runs: /^(-[ec]|--exec|--sh-exec)/ },
  ncat: {
    danger: usesNetwork,
    outputs: /^(-[ox]|--(output|hex-dump|append-output))/,
    runs: /^(-[ec]|--exec|--sh-exec)/,
  },
  nmap: { outputs: /^-o[NXSGA]/ },
  socat: {
    danger: usesNetwork,
    writes: (args) => args.flatMap((field) => filesNamedBy(/^(?:create|open|gopen|file):([^,]+)/gi, field)),
    runs: /^(?=[A-Za-z])/,
  },
  'http https xh': { danger: usesNetwork, outputs: outputOption },
  // They show a folder to the network.
  'serve http-server live-server': { gathers: (_, folders) => orHere(folders) },
  aria2c: { danger: usesNetwork, outputs: /^(-[do]|--(dir|out|log|save-session))(?==|$|(?<=^-.))/ },
  'telnet ftp ping dig nslookup host': { danger: usesNetwork },
  'ssh-keygen': { outputs: /^-f/ },
  ip: {
    ...launcher('exec'),
    reads: { files: none, accepts: (_, args) => isShownByIp(args) },
    detours: /^(e(x|xe|xec)?|-b(a[tch]*)?)$/,
  },
  tcpdump: { outputs: /^-[A-Za-z#]*w/, runs: /^-[A-Za-z#]*z/ },
  openssl: { outputs: /^--?(out|keyout|writerand)$/, runs: /^--?(engine|provider(-path)?)(=|$)/ },
  'gpg gpg2': {
    outputs: outputOption,
    runs: /^--(ph|ag|dirm|keyb|exec-|load|opt|ho)[a-z-]*/,
  },
  age: { outputs: outputOption },
  sops: { inPlace: /^(-i|--in-place)$/, outputs: outputOption },
  'ansible-vault': {
    outputs: /^--output(?==|$)/,
    writes: (_, [verb, ...files]) =>
      /^(create|edit|encrypt|decrypt|rekey)$/.test(verb?.text ?? '') ? files : [],
  },
}
