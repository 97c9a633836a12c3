/** The apps of this folder: how each is checked, built and served, as its users do it. */
import path from 'node:path'
import { open } from '../e2e/support/apps.ts'
import { type Project, type Served, serveBy, serveFiles } from './project.ts'

export interface HostApp {
  readonly name: string
  /** The names under which its build finds the addresses. */
  readonly env: (setting: Setting) => string
  /** Builds it for production. */
  readonly build: (settings: Record<Setting, string>) => string[]
  /** Where the built files are; an app without them has a server of its own. */
  readonly files?: string
  /** Starts its own server: what people get, and what its developers work with. */
  readonly servers?: {
    readonly deployed: (port: number) => string[]
    readonly developed: (port: number) => string[]
  }
  /** The checker of its templates, for a project in a folder of the app. */
  readonly check: (project: string) => string[]
  /** The position of an error in what the checker says. */
  readonly errorAt: RegExp
  /** What must not compile. */
  readonly wrong: string
}
export type Setting = 'APP_ID' | 'API_URL' | 'VAULT_URL'

export const settingsOf = (demo: { api: string; vault: string }): Record<Setting, string> => ({
  APP_ID: open,
  API_URL: demo.api,
  VAULT_URL: demo.vault,
})

/** Builds an app for these settings. Rejects with what its tools say. */
export async function buildApp(
  app: HostApp,
  project: Project,
  settings: Record<Setting, string>,
): Promise<void> {
  const { code, output } = await project.run(app.build(settings), envOf(app, settings))
  if (code !== 0) throw new Error(`${app.name} could not be built:\n${output}`)
}
export const envOf = (app: HostApp, settings: Record<Setting, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(settings).map(([setting, value]) => [app.env(setting as Setting), value]))

/** Serves what `buildApp` has made, as people get it. */
export const serveDeployed = (
  app: HostApp,
  project: Project,
  env: Record<string, string> = {},
): Promise<Served> =>
  app.servers
    ? serveBy(project, app.servers.deployed, env)
    : serveFiles(path.join(project.folder, app.files ?? ''))

const node = process.execPath
const bin = (file: string) => [node, path.join('node_modules', file)]

export const apps: readonly HostApp[] = [
  {
    name: 'next',
    env: (setting) => `NEXT_PUBLIC_${setting}`,
    build: () => [...bin('next/dist/bin/next'), 'build'],
    servers: {
      deployed: (port) => [...bin('next/dist/bin/next'), 'start', '-p', String(port)],
      developed: (port) => [...bin('next/dist/bin/next'), 'dev', '-p', String(port)],
    },
    check: (project) => [...bin('typescript/bin/tsc'), '--noEmit', '-p', project],
    errorAt: /^\S+\((\d+),\d+\): error/gm,
    wrong: 'wrong/wrong.tsx',
  },
  {
    name: 'vue',
    env: (setting) => `VITE_${setting}`,
    build: () => [...bin('vite/bin/vite.js'), 'build'],
    files: 'dist',
    check: (project) => [...bin('vue-tsc/bin/vue-tsc.js'), '--noEmit', '-p', project],
    errorAt: /^\S+\((\d+),\d+\): error/gm,
    wrong: 'wrong/wrong.vue',
  },
  {
    name: 'svelte',
    env: (setting) => `VITE_${setting}`,
    build: () => [...bin('vite/bin/vite.js'), 'build'],
    files: 'dist',
    check: (project) => [
      ...bin('svelte-check/bin/svelte-check'),
      ...['--output', 'machine', '--fail-on-warnings', '--tsconfig', `./${project}/tsconfig.json`],
    ],
    errorAt: /^\d+ ERROR "[^"]+" (\d+):/gm,
    wrong: 'wrong/wrong.svelte',
  },
  {
    name: 'angular',
    env: (setting) => setting,
    build: (settings) => [
      ...bin('@angular/cli/bin/ng.js'),
      'build',
      ...Object.entries(settings).flatMap(([name, value]) => [
        '--define',
        `${name}=${JSON.stringify(value)}`,
      ]),
    ],
    files: 'dist',
    check: (project) => [
      ...bin('@angular/compiler-cli/bundles/src/bin/ngc.js'),
      ...['--noEmit', '--pretty', 'false', '-p', project],
    ],
    errorAt: /^\S+[(:](\d+)[,:]\d+\)?(?: -|:) error/gm,
    wrong: 'wrong/wrong.ts',
  },
]
