import type { Reporter, TestModule, TestSpecification } from 'vitest/node';

/** Says every ten seconds how far the tests are, in a log too: nobody waits for minutes in silence. */
export class Progress implements Reporter {
  #stop = (): void => undefined;
  #files = 0;
  #ended = 0;
  #tests = 0;
  #failed = 0;

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#files = specifications.length;
    const started = performance.now();
    const timer = setInterval(() => {
      const seconds = Math.round((performance.now() - started) / 1000);
      const files = `${this.#ended} of ${this.#files} files`;
      console.error(`${seconds} s: ${files}, ${this.#tests} tests, ${this.#failed} failed`);
    }, 10_000);
    this.#stop = () => clearInterval(timer);
  }

  onTestModuleEnd(module: TestModule): void {
    const tests = [...module.children.allTests()];
    this.#ended += 1;
    this.#tests += tests.length;
    this.#failed += tests.filter((test) => test.result().state === 'failed').length;
  }

  onTestRunEnd(): void {
    this.#stop();
  }
}
