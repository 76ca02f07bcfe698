import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const root = path.dirname(fileURLToPath(import.meta.url));

/**
 * References in the sources to their own location stay valid in the build: workers, migrations and pages are found
 * where they are, and run from there.
 */
const places: Plugin = {
  name: 'places',
  enforce: 'pre',
  transform(code, id) {
    const file = id.split('?')[0] ?? id;
    if (!file.startsWith(root) || !/\bimport\.meta\.|\b__(?:dir|file)name\b/.test(code)) return undefined;
    const place = (of: string) => `(__parleyRoot + ${JSON.stringify(`/${path.relative(root, of)}`)})`;
    return code
      .replaceAll(/\bimport\.meta\.dirname\b|\b__dirname\b/g, place(path.dirname(file)))
      .replaceAll(/\bimport\.meta\.filename\b|\b__filename\b/g, place(file))
      .replaceAll(/\bimport\.meta\.url\b/g, `String(__parleyFileUrl(${place(file)}))`);
  },
};

/** A single character above 255 makes V8 store a whole file with two bytes per character, for as long as the program runs. */
const oneByteALetter: Plugin = {
  name: 'one-byte-a-letter',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue;
        file.code = file.code.replace(
          /[^\0-\x7f]/g,
          (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
        );
      }
    },
  },
};

/** The package a file belongs to, as a file name; null: our own. */
function packageOf(id: string): string | null {
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id) ?? [];
  return name === undefined ? null : name.replaceAll(/[^\w.-]/g, '_');
}

/** The server in one file, and one per package: a starting program reads few files, and none needs its types stripped. */
export default defineConfig({
  root,
  publicDir: false,
  plugins: [places, oneByteALetter],
  ssr: {
    noExternal: true,
    // They load binaries, or files relative to their own location.
    external: ['sharp', 'pg-native', '@google-cloud/kms', '@huggingface/transformers', 'bufferutil', 'utf-8-validate'],
  },
  build: {
    ssr: 'src/server/main.ts',
    outDir: 'dist/server',
    emptyOutDir: true,
    target: 'node24',
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name].js',
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: packageOf, debugName: 'packages', test: /node_modules/ }],
        },
        strictExecutionOrder: false,
        minify: { mangle: false, compress: true, codegen: { removeWhitespace: false } },
        banner: [
          `import { dirname as __parleyDirname } from 'node:path';`,
          `import { fileURLToPath as __parleyToPath, pathToFileURL as __parleyFileUrl } from 'node:url';`,
          `const __parleyRoot = __parleyDirname(__parleyDirname(__parleyDirname(__parleyToPath(import.meta.url))));`,
        ].join('\n'),
      },
    },
  },
});
