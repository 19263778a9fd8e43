; SPDX-License-Identifier: GPL-3.0-or-later
;
; Outlines of the objects in a folder of pictures, and one table of all objects:
;
;   gimp-console -idf --quit --batch-interpreter=plug-in-script-fu-eval \
;     -b '(begin (load "files.scm") (load "outlines.scm") (outlines "pictures" "results" #:input "objects"))'
;
; For each picture RESULTS, a folder that is made if it is missing, gets NAME.xcf, the picture with
; a layer of lines, NAME.png, both together, and NAME.geojson, the outlines of the objects;
; objects.csv has a line for each object.  Further arguments are those of
; plug-in-wavefront-watershed.  A picture that fails is reported, and the others are done; an error
; at the end names those that failed.

(define (fold text)
  (list->string (map char-downcase (string->list text))))

(define (check-neighbours folder stems)
  (if (and (pair? stems) (pair? (cdr stems)))
      (begin
        (if (string=? (car stems) (cadr stems))
            (error (string-append "Two pictures in “" folder "” have the name “" (car stems)
                                  "”.")))
        (check-neighbours folder (cdr stems)))))

; an error if two pictures would have results of one name, in any file system
(define (check-stems folder names)
  (let sort ((names names) (stems '()))
    (if (null? names)
        (check-neighbours folder stems)
        (sort (cdr names) (insert-sorted (fold (stem-of (car names))) stems)))))

; whether two paths lead to one folder: a file in one is in the other while it exists
(define (same-folder? first second)
  (let* ((name "/.wavefront-same-folder")
         (made (close-output-port (open-output-file (string-append first name))))
         (there (file-exists? (string-append second name)))
         (deleted (file-delete (string-append first name))))
    (and there (not (file-exists? (string-append second name))))))

; an error if results would replace pictures
(define (check-results folder results)
  (if (and (file-exists? results) (same-folder? results folder))
      (error (string-append "The results cannot be in “" folder
                            "”, the folder of the pictures."))))

; ---------------------------------------------------------------- the table

; copies a field, in quotes where it needs them
(define (write-field text port)
  (let* ((characters (string->list text))
         (quoted (or (member #\, characters) (member #\" characters))))
    (if quoted (write-char #\" port))
    (for-each (lambda (c)
                (if (char=? c #\") (write-char c port))
                (write-char c port))
              characters)
    (if quoted (write-char #\" port))))

; the cells of the next line, as they are written; of a line end in quotes nothing is known
(define (read-table-line port)
  (let next ((cells '()) (characters '()) (quoted #f))
    (let ((c (read-char port))
          (cell (lambda () (list->string (reverse characters)))))
      (cond ((eof-object? c)
             (if (and (null? cells) (null? characters)) c (reverse (cons (cell) cells))))
            ((char=? c #\newline) (reverse (cons (cell) cells)))
            ((and (char=? c #\,) (not quoted)) (next (cons (cell) cells) '() #f))
            (else (next cells (cons c characters)
                        (if (char=? c #\") (not quoted) quoted)))))))

; the tables before those in front of them, the last one first: each the name of the picture, the
; names of the columns, and the lines, the last one first
(define (add-table table name tables)
  (let* ((input (open-input-file table))
         (header (read-table-line input)))
    (let next ((lines '()))
      (let ((line (read-table-line input)))
        (if (eof-object? line)
            (begin (close-input-port input) (cons (list name header lines) tables))
            (next (cons line lines)))))))

; puts an element behind another one, or first
(define (insert-behind before element all)
  (cond ((not before) (cons element all))
        ((string=? (car all) before) (cons before (cons element (cdr all))))
        (else (cons (car all) (insert-behind before element (cdr all))))))

; the columns with those that are new, each behind the one that it follows: pictures with a unit
; have more
(define (merge-columns columns names before)
  (if (null? names)
      columns
      (merge-columns (if (member (car names) columns)
                         columns
                         (insert-behind before (car names) columns))
                     (cdr names) (car names))))

; what a line has in a column, or nothing
(define (find-cell column names line)
  (cond ((or (null? names) (null? line)) "")
        ((string=? (car names) column) (car line))
        (else (find-cell column (cdr names) (cdr line)))))

(define (write-line cells port)
  (for-each (lambda (cell) (write-char #\, port) (display cell port)) cells)
  (newline port))

(define (write-table tables path)
  (let ((port (open-output-file path))
        (columns '()))
    (for-each (lambda (table) (set! columns (merge-columns columns (cadr table) #f)))
              (reverse tables))
    (if (pair? columns)
        (begin (display "file" port) (write-line columns port)))
    (for-each
     (lambda (table)
       (for-each (lambda (line)
                   (write-field (car table) port)
                   (write-line (map (lambda (column) (find-cell column (cadr table) line)) columns)
                               port))
                 (reverse (caddr table))))
     (reverse tables))
    (close-output-port port)))

; ---------------------------------------------------------------- the pictures

; divides one picture; writes its results and its table; returns whether that was possible
(define (outline path stem table settings)
  (let* ((image (car (gimp-file-load RUN-NONINTERACTIVE path)))
         (done (catch #f (outline-image image stem table settings) #t)))
    (gimp-image-delete image)
    done))

(define (outline-image image stem table settings)
  (apply plug-in-wavefront-watershed
         (append (list #:run-mode RUN-NONINTERACTIVE #:image image
                       #:drawables (vector (single-layer image))
                       #:lines-layer TRUE #:basins-layer FALSE #:table-file table
                       #:outline-file (string-append stem ".geojson"))
                 settings))
  (gimp-file-save RUN-NONINTERACTIVE image (string-append stem ".xcf"))
  (gimp-image-flatten image)
  (gimp-file-save RUN-NONINTERACTIVE image (string-append stem ".png")))

(define (outlines folder results . settings)
  (let* ((names (list-pictures folder))
         (checked (check-stems folder names))
         (apart (check-results folder results))
         (table (string-append results "/.table.csv"))
         (made (if (not (file-exists? results)) (dir-make results)))
         (failures "")
         (n-done 0)
         (tables '()))
    (for-each
     (lambda (name)
       (if (catch #f
             (outline (string-append folder "/" name)
                      (string-append results "/" (stem-of name)) table settings))
           (begin
             (set! tables (add-table table name tables))
             (set! n-done (+ n-done 1)))
           (set! failures (string-append failures " " name))))
     names)
    (if (file-exists? table) (file-delete table))
    (write-table tables (string-append results "/objects.csv"))
    (display (string-append (number->string n-done) " of " (number->string (length names))
                            " pictures, "
                            (number->string (apply + (map (lambda (table) (length (caddr table)))
                                                          tables)))
                            " objects\n"))
    (if (not (string=? failures ""))
        (error (string-append "These pictures failed:" failures)))))
