import { taskPriorities } from '../task.ts'
import type { Option } from './option.ts'

/** Flags that belong to some commands alone. */
export const commandOptions = [
  { name: 'until', value: 'N', command: 'replay', help: 'only the first N messages of the user' },
  {
    name: 'offline',
    command: 'replay',
    help: 'use recorded replies and results only; exit 50 where the replay differs',
  },
  {
    name: 'locked',
    command: 'replay',
    help: 'exit 50 if the model, its parameters, prompts, tools, context files or git head have changed',
  },
  {
    name: 'priority',
    value: 'PRIORITY',
    choices: taskPriorities,
    command: 'task',
    help: 'foreground, normal (default) or background',
  },
  {
    name: 'ref',
    value: 'REF',
    command: 'task',
    help: 'what the task is about (again for more): a.ts:10-40, plan.md#goals, asset:ID or cite:KEY',
  },
  { name: 'after', value: 'ID', command: 'task', help: 'the task that must be done first' },
  { name: 'comment', value: 'TEXT', command: 'task', help: 'a remark that goes with the answer' },
  { name: 'follow', short: 'f', command: 'task', help: 'go on with what happens, until the task is over' },
  { name: 'once', command: 'worker', help: 'end when there is nothing left to take' },
  {
    name: 'repo',
    value: 'DIR',
    command: 'worker',
    help: 'take the tasks of the repository in DIR; default: of the working folder',
  },
  {
    name: 'listen',
    value: 'ADDRESS',
    command: 'serve',
    help: 'HOST:PORT or unix:PATH; default: 127.0.0.1 and a free port, which 0 stands for',
  },
  { name: 'new', command: 'attach', help: 'begin a session instead of showing one' },
  {
    name: 'project',
    value: 'NAME',
    command: 'attach',
    help: 'the project of the server: begin the session there, or list only its sessions',
  },
  {
    name: 'config',
    value: 'KEY=VALUE',
    command: 'plugin',
    help: 'add and config: what the plugin asks for (again for more)',
  },
  {
    name: 'env',
    value: 'NAME=VALUE',
    command: 'mcp',
    help: 'add: a variable of the server (again for more)',
  },
  {
    name: 'header',
    value: 'NAME: VALUE',
    command: 'mcp',
    help: 'add: a header of each request to a URL (again for more)',
  },
  {
    name: 'scope',
    value: 'SCOPE',
    choices: ['user', 'project', 'local'],
    command: ['mcp', 'import-config', 'config'],
    help: 'whose: yours (user, the default) or of this project, for servers its .mcp.json; config: local is .pipe/config.local.json; import: look into the project too',
  },
  { name: 'no-browser', command: 'mcp', help: 'login: only print the address' },
  {
    name: 'http',
    value: '[HOST:]PORT',
    command: 'mcp',
    help: 'serve: listen there instead of speaking over stdin and stdout; 0 stands for a free port',
  },
  { name: 'man', command: 'help', help: 'print the manual page in roff: pipe help --man | man -l -' },
  { name: 'stat', command: 'task', help: 'diff: only the files, with their added and removed lines' },
  { name: 'apply', command: 'race', help: "merge the winner's changes into your files without asking" },
  { name: 'head', value: 'HASH', command: 'audit', help: 'a head saved earlier' },
  { name: 'here', command: 'recall', help: 'only sessions of this folder' },
  {
    name: 'since',
    value: 'DUR',
    command: 'recall',
    help: 'only sessions used in the last DUR: 12h, 30d, 8w',
  },
] as const satisfies readonly Option[]
