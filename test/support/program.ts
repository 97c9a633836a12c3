import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rename } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

const root = resolve(import.meta.dirname, '../..')
const bundles = new Map<string, Promise<string>>()

/** Starts a TypeScript program of the repository, named from the root. */
export async function startProgram(
  entry: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<ChildProcessWithoutNullStreams> {
  return spawn(process.execPath, [await bundleProgram(entry), ...args], { env: { ...process.env, ...env } })
}

/** Runs a program to its end. Resolves with its exit code and all that it has printed. */
export async function runProgram(
  entry: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ code: number | null; said: string }> {
  const child = await startProgram(entry, args, env)
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => said.push(String(text)))
  const [code] = await once(child, 'close')
  return { code, said: said.join('') }
}

/** Bundled once: tests start programs dozens of times, and compiling them at each start took most of that time. */
function bundleProgram(entry: string): Promise<string> {
  const bundle = bundles.get(entry) ?? writeBundle(entry)
  bundles.set(entry, bundle)
  return bundle
}

async function writeBundle(entry: string): Promise<string> {
  // Below the root, where Node finds its packages.
  const file = join(root, '.cache/programs', entry.replaceAll('/', '-').replace(/\.ts$/, '.mjs'))
  const own = `${file}.${process.pid}.mjs`
  await build({
    entryPoints: [join(root, entry)],
    outfile: own,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    sourcemap: 'inline',
    plugins: [ownPlaces],
  })
  await rename(own, file)
  return file
}

/** Modules that read files beside themselves find them beside their source. */
const ownPlaces: Plugin = {
  name: 'own-places',
  setup({ onLoad }) {
    onLoad({ filter: /\/demo\/.*\.tsx?$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      if (!text.includes('import.meta')) return undefined
      const contents = text
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
      return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' }
    })
  },
}
