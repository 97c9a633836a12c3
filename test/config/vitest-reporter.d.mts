interface Failure {
  name?: string
  message?: string
  stack?: string
  cause?: unknown
  VITEST_TEST_PATH?: string
  VITEST_TEST_NAME?: string
}
interface Suite {
  fullName?: string
  errors(): readonly unknown[]
}
interface Test {
  fullName: string
  module: { moduleId: string }
  result(): { state: unknown; errors?: readonly Failure[] }
}
interface Module extends Suite {
  moduleId: string
  children: { allTests(): Iterable<Test>; allSuites(): Iterable<Suite> }
}

export declare function countRun(
  modules: readonly Module[],
  unhandledErrors: readonly Failure[],
  reason: string,
): { passed: number; failed: number; skipped: number; failures: string[] }
