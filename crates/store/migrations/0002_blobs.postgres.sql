-- The bytes of files. Over SQLite they lie in the data folder instead.
CREATE TABLE blobs (
    sha256 TEXT PRIMARY KEY,
    bytes  BYTEA NOT NULL
);
-- Pictures do not get smaller by another compression.
ALTER TABLE blobs ALTER COLUMN bytes SET STORAGE EXTERNAL;
