#!/usr/bin/env node
/**
 * Brings what a command needs and does not find, and says what it brings: `node tools/setup.mjs <start|test|soak|build|bench …>`.
 * `node tools/setup.mjs test unit,backend` leaves out what only other parts of the tests need.
 * Uses nothing but Node, because on a fresh clone there is nothing else. When nothing is missing it is silent and quick.
 */
import { ensureNode } from './setup/node-version.mjs'

const needs = {
  start: ['packages', 'dist'],
  build: ['packages', 'dist'],
  size: ['packages', 'dist', 'chromium'],
  screenshots: ['packages', 'dist', 'chromium'],
  test: ['packages', 'dist', 'chromium', 'hosts', 'pooler'],
  soak: ['packages', 'dist', 'chromium', 'engines', 'pooler'],
  bench: ['packages', 'dist', 'chromium'],
  'clear-signing': ['packages'],
  descriptors: ['packages'],
}

/** Needs of a single part of the tests, and that part. */
const ofOnePart = { hosts: 'hosts', pooler: 'backend' }

const [command = '', parts] = process.argv.slice(2)
if (!Object.hasOwn(needs, command)) {
  console.error(`Usage: node tools/setup.mjs <${Object.keys(needs).join('|')}>`)
  process.exit(2)
}
ensureNode()

const bring = {
  packages: async () => (await import('./setup/packages.mjs')).ensurePackages(),
  dist: async () => {
    const built = await (await import('./setup/dist.mjs')).ensureDist()
    if (!built && command === 'build') console.log('dist/ is up to date.')
  },
  chromium: async () => (await import('./setup/browser.mjs')).ensureChromium(),
  hosts: async () => (await import('./setup/hosts.mjs')).ensureHosts(),
  pooler: async () => (await import('./setup/pooler.mjs')).ensurePooler(),
  engines: async () => (await import('./setup/engines.mjs')).ensureEngines(),
}
try {
  const isLeftOut = (need) => parts && need in ofOnePart && !parts.split(',').includes(ofOnePart[need])
  for (const need of needs[command].filter((need) => !isLeftOut(need))) await bring[need]()
} catch (error) {
  console.error(`\nSet-up stopped: ${error.message}`)
  process.exit(1)
}
