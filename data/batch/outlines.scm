; SPDX-License-Identifier: GPL-3.0-or-later
;
; Outlines of the objects in a folder of pictures, and one table of all objects:
;
;   gimp-console -idf --quit --batch-interpreter=plug-in-script-fu-eval \
;     -b '(begin (load "files.scm") (load "outlines.scm") (outlines "pictures" "results" #:input "objects"))'
;
; For each picture RESULTS, a folder that is made if it is missing, gets NAME.xcf, the picture with
; a layer of lines, and NAME.png, both together; objects.csv has a line for each object.  Further
; arguments are those of plug-in-wavefront-watershed.  A picture that fails is reported, and the
; others are done; an error at the end names those that failed.

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

(define (read-table-line port)
  (let next ((characters '()))
    (let ((c (read-char port)))
      (cond ((eof-object? c)
             (if (null? characters) c (list->string (reverse characters))))
            ((char=? c #\newline) (list->string (reverse characters)))
            (else (next (cons c characters)))))))

; puts the lines of a table, each with the name of the picture, before those in front of them, the
; last one first; its header if there are none yet
(define (add-table table name lines)
  (let* ((input (open-input-file table))
         (header (read-table-line input)))
    (let next ((lines (if (null? lines) (list (list "file" header)) lines)))
      (let ((line (read-table-line input)))
        (if (eof-object? line)
            (begin (close-input-port input) lines)
            (next (cons (list name line) lines)))))))

(define (write-table lines path)
  (let ((port (open-output-file path)))
    (for-each (lambda (line)
                (write-field (car line) port)
                (write-char #\, port)
                (display (cadr line) port)
                (newline port))
              (reverse lines))
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
                       #:lines-layer TRUE #:basins-layer FALSE #:table-file table)
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
         (lines '()))
    (for-each
     (lambda (name)
       (if (catch #f
             (outline (string-append folder "/" name)
                      (string-append results "/" (stem-of name)) table settings))
           (begin
             (set! lines (add-table table name lines))
             (set! n-done (+ n-done 1)))
           (set! failures (string-append failures " " name))))
     names)
    (if (file-exists? table) (file-delete table))
    (write-table lines (string-append results "/objects.csv"))
    (display (string-append (number->string n-done) " of " (number->string (length names))
                            " pictures, " (number->string (max 0 (- (length lines) 1)))
                            " objects\n"))
    (if (not (string=? failures ""))
        (error (string-append "These pictures failed:" failures)))))
