/** Just enough of ONNX's protocol buffers to write a model that looks up each token in a table. */

const VARINT = 0;
const BYTES = 2;

function varint(value: number): number[] {
  const bytes = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return [...bytes, rest];
}

function number(field: number, value: number): Buffer {
  return Buffer.from([...varint(field * 8 + VARINT), ...varint(value)]);
}

function bytes(field: number, ...parts: (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part as Buffer)));
  return Buffer.concat([Buffer.from([...varint(field * 8 + BYTES), ...varint(content.length)]), content]);
}

const FLOAT = 1;
const INT64 = 7;

/** ValueInfoProto: a tensor whose dimensions may be known by name only. */
function tensor(name: string, type: number, axes: (string | number)[]): Buffer[] {
  const shape = axes.map((axis) => bytes(1, typeof axis === 'number' ? number(1, axis) : bytes(2, axis)));
  return [bytes(1, name), bytes(2, bytes(1, number(1, type), bytes(2, ...shape)))];
}

/** A model from `input_ids` to `last_hidden_state`: the table's row for each token. */
export function onnxLookup(table: Float32Array, size: number): Buffer {
  const rows = table.length / size;
  const gather = bytes(
    1,
    bytes(1, 'table'),
    bytes(1, 'input_ids'),
    bytes(2, 'last_hidden_state'),
    bytes(4, 'Gather'),
  );
  const initializer = bytes(
    5,
    number(1, rows),
    number(1, size),
    number(2, FLOAT),
    bytes(8, 'table'),
    bytes(9, Buffer.from(table.buffer, table.byteOffset, table.byteLength)),
  );
  const graph = bytes(
    7,
    gather,
    bytes(2, 'lookup'),
    initializer,
    bytes(11, ...tensor('input_ids', INT64, ['batch', 'sequence'])),
    bytes(12, ...tensor('last_hidden_state', FLOAT, ['batch', 'sequence', size])),
  );
  return Buffer.concat([number(1, 8), graph, bytes(8, bytes(1, ''), number(2, 13))]);
}
